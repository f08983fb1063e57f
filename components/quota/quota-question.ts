import type { QuotaQuestion } from '@/lib/api/quotas'
import type { QuotaSort, QuotaState } from '@/lib/schemas/api/quota'

type Chosen = {
  q: string
  classes: readonly string[]
  all: boolean
  idle: boolean
  state: QuotaState | null
  sort: QuotaSort
  desc: boolean
}

const flag = (isOn: boolean): 'true' | 'false' => (isOn ? 'true' : 'false')

export const quotaQuestion = (cloud: string | null, chosen: Chosen): QuotaQuestion => ({
  cloud,
  q: chosen.q.trim(),
  classes: chosen.classes.join(),
  gpu: flag(!chosen.all),
  inUse: flag(!chosen.idle),
  state: chosen.state,
  sort: chosen.sort,
  desc: flag(chosen.desc),
})
