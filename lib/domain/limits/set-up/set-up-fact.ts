import type { Encoded } from '@/lib/util/encode/encoded'

/** `open`: something must be done. `check`: the command for a manual check, where the console cannot check. */
export type SetUpFact = {
  id: string
  title: string
  state: 'good' | 'open' | 'unknown'
  said: string
  check: Encoded<'shell'> | null
}
