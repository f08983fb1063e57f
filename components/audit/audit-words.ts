import type { AuditAction } from '@/lib/domain/audit-action'
import type { AUDIT_SUBJECTS } from '@/lib/schemas/api/audit'
import {
  changePath,
  gpuPath,
  hostPath,
  quotaRequestPath,
  reviewPath,
  webhookSettingsPath,
} from '@/lib/util/paths'

type AuditSubject = (typeof AUDIT_SUBJECTS)[number]

/** What actions are about, as the filter names it. */
export const SUBJECT_WORDS: Readonly<Record<AuditSubject, string>> = {
  session: 'Sign-in',
  'api-token': 'API tokens',
  agent: 'Agents',
  enrollment: 'Enrollment requests',
  'join-token': 'Join tokens',
  finding: 'Findings',
  change: 'Changes',
  'agent-command': 'Agent commands',
  'command-key': 'Signing keys',
  'console-secret': 'Console secret',
  'kept-trait': 'Kept traits',
  'quota-request': 'Quota requests',
  'limit-trial': 'Trials of limits',
  catalog: 'Tenants’ catalogue',
  cloud: 'Clouds',
  webhook: 'Webhooks',
  review: 'Reviews',
}

const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  'session.create': 'Signed in',
  'session.refuse': 'Sign-in refused',
  'session.choose-scope': 'Chose a project',
  'session.end': 'Session ended',
  'api-token.create': 'Made an API token',
  'api-token.revoke': 'Revoked an API token',
  'agent.enrol': 'Enrolled',
  'agent.revoke': 'Revoked an agent',
  'enrollment.request': 'Enrollment requested',
  'enrollment.approve': 'Enrollment approved',
  'enrollment.decline': 'Enrollment declined',
  'host.remove': 'Removed a host',
  'host.restore': 'Restored a host',
  'host.merge': 'Merged a host',
  'join-token.create': 'Made a join token',
  'join-token.revoke': 'Revoked a join token',
  'finding.acknowledge': 'Acknowledged',
  'finding.end-acknowledgement': 'Ended an acknowledgement',
  'cloud.create': 'Cloud first seen',
  'cloud.tell-api-aliases': 'Told the aliases of Nova’s API',
  'cloud.forget-api-aliases': 'Forgot the told aliases of Nova’s API',
  'cloud.tell-quota-driver': 'Answered which quota driver Nova’s API uses',
  'cloud.withdraw-quota-driver': 'Withdrew the answer on the quota driver',
  'kept-trait.begin': 'Putting a kept trait back',
  'kept-trait.put-back': 'Put a kept trait back',
  'kept-trait.fail': 'Could not put a kept trait back',
  'kept-trait.end': 'Stopped keeping a trait',
  'quota-request.make': 'Asked for quota',
  'quota-request.withdraw': 'Withdrew a request',
  'quota-request.approve': 'Approved a request',
  'quota-request.decline': 'Declined a request',
  'quota-request.take-back': 'Taking a granted limit back',
  'quota-request.end': 'Dealt with an end date',
  'limit-trial.begin': 'Asking Nova for a server over the limit',
  'limit-trial.end': 'Asked Nova for a server over the limit',
  'catalog.watch': 'Asked to be told when one is free',
  'catalog.end-watch': 'Asked no more to be told',
  'catalog.tell': 'Told the webhook that one is free',
  'catalog.tell-fail': 'Gave up telling the webhook',
  'command-key.create': 'Created the signing key',
  'command-key.replace': 'Replaced the signing key',
  'console-secret.record': 'Recorded the console secret',
  'console-secret.rotate': 'Rotated the console secret',
  'console-secret.replace': 'Replaced the console secret',
  'agent-command.deliver': 'Fetched a command',
  'agent-command.end': 'Ended a command',
  'agent-command.end-late': 'Ended a command too late',
  'agent-command.expired': 'Command expired',
  'agent-command.withdrawn': 'Took a command back',
  'change.plan': 'Saved a plan',
  'change.set-terms': 'Set terms',
  'change.approve': 'Approved',
  'change.start': 'Started',
  'change.stop': 'Stopped',
  'change.go-on': 'Went on',
  'change.roll-back': 'Began to roll back',
  'change.drop': 'Dropped',
  'change.fail': 'Stopped by itself',
  'change.finish': 'Finished',
  'change.step.begin': 'Step begun',
  'change.step.happened': 'Step done',
  'change.step.wait': 'Step waits',
  'change.step.block': 'Step blocked',
  'change.step.fail': 'Step failed',
  'change.step.skip': 'Step skipped',
  'change.step.begin-undo': 'Step being taken back',
  'change.step.undone': 'Step taken back',
  'webhook.create': 'Added a webhook',
  'webhook.change': 'Changed a webhook',
  'webhook.delete': 'Deleted a webhook',
  'webhook.renew-secret': 'Made a webhook’s secret anew',
  'webhook.test': 'Sent a webhook a test',
  'webhook.send-again': 'Sent a webhook’s message again',
  'review.make': 'Froze a review',
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(ACTION_WORDS, action)

/** The action in words. One of another release has none of its own: `host.take-over` is then "Host: take over". */
export const actionWords = (action: string): string => {
  if (isKnown(action)) return ACTION_WORDS[action]
  const [noun = '', ...deed] = action.replaceAll('-', ' ').split('.')
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${deed.join(' ')}`
}

/** Where the subject of an entry can be seen; null: nowhere by itself. */
export const subjectPath = (subject: string, cloud: string | null): string | null => {
  const [kind, rest = ''] = subject.split(/[:/]/)
  if (kind === 'kept-trait') {
    const [host = '', address = ''] = subject.slice('kept-trait:'.length).split('/')
    return gpuPath({ cloud, host, address })
  }
  if (kind === 'quota-request' && /^\d+$/.test(rest)) return quotaRequestPath({ cloud, id: Number(rest) })
  if (kind === 'host') return hostPath({ cloud, host: rest })
  if (kind === 'webhook') return webhookSettingsPath({ cloud })
  if (kind === 'review' && /^\d+$/.test(rest)) return reviewPath({ cloud, id: Number(rest) })
  return kind === 'change' && /^\d+$/.test(rest) ? changePath({ cloud, id: Number(rest) }) : null
}
