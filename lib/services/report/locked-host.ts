import type { Position } from '@/lib/schemas/agent/report'
import type { Watch } from './follow-watch'

/** A host's row and its credential in force, as the transaction that holds the row locked reads them. */
export type LockedHost = {
  id: number
  enrolment: number
  position: Position
  digest: string | null
  watch: Watch
  /** The one of this enrolment that is not revoked. */
  credentialId: number | null
}
