import type { ChangeAction } from '@/lib/domain/plans/change-states'
import type { StepEvent } from '@/lib/domain/plans/step-states'

/**
 * Actions of the audit, noun first. Each has its own text on the Audit page, so add a new one here first. An entry of
 * another release may have an action that is not listed.
 */
export type AuditAction =
  | `session.${'create' | 'refuse' | 'choose-scope' | 'end'}`
  | `api-token.${'create' | 'revoke'}`
  | `agent.${'enrol' | 'revoke'}`
  | `enrollment.${'request' | 'approve' | 'decline'}`
  | `host.${'remove' | 'restore' | 'merge'}`
  | `join-token.${'create' | 'revoke'}`
  | `finding.${'acknowledge' | 'end-acknowledgement' | 'mute' | 'unmute'}`
  | `change.${'plan' | 'set-terms' | 'approve' | 'finish' | 'fail' | ChangeAction}`
  | `change.step.${StepEvent}`
  | `agent-command.${'deliver' | 'end' | 'end-late' | 'expired' | 'withdrawn'}`
  | `command-key.${'create' | 'replace'}`
  | `console-secret.${'record' | 'rotate' | 'replace'}`
  | `kept-trait.${'begin' | 'put-back' | 'fail' | 'end'}`
  | `quota-request.${'make' | 'withdraw' | 'approve' | 'decline' | 'take-back' | 'end'}`
  | `limit-trial.${'begin' | 'end'}`
  | `catalog.${'watch' | 'end-watch' | 'tell' | 'tell-fail'}`
  | `server.${'request' | 'create' | 'refuse' | 'lose'}`
  | `cloud.${'create' | 'tell-api-aliases' | 'forget-api-aliases' | 'tell-quota-driver' | 'withdraw-quota-driver'}`
  | `webhook.${'create' | 'change' | 'delete' | 'renew-secret' | 'test' | 'send-again'}`
  | 'price.add'
  | `view.${'create' | 'update' | 'delete'}`
  | `scenario.${'create' | 'save' | 'delete'}`
  | 'review.make'
