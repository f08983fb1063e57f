import type { AuditAction } from '@/lib/domain/access/audit-action'
import type { AUDIT_SUBJECTS } from '@/lib/schemas/choices'
import {
  changePath,
  gpuPath,
  hostPath,
  quotaRequestPath,
  reviewPath,
  webhookSettingsPath,
} from '@/lib/util/paths'
import { priceSettingsPath, scenariosPath } from '@/lib/util/planning-paths'

type AuditSubject = (typeof AUDIT_SUBJECTS)[number]

/** The subjects of the filter. */
export const SUBJECT_LABELS: Readonly<Record<AuditSubject, string>> = {
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
  'kept-trait': 'Managed traits',
  'quota-request': 'Quota requests',
  'limit-trial': 'Limit checks',
  catalog: 'Tenant catalog',
  server: 'Servers of tenants',
  cloud: 'Clouds',
  webhook: 'Webhooks',
  price: 'Prices',
  scenario: 'Scenarios',
  review: 'Reviews',
  view: 'Saved views',
}

const ACTION_LABELS: Readonly<Record<AuditAction, string>> = {
  'session.create': 'Signed in',
  'session.refuse': 'Sign-in refused',
  'session.choose-scope': 'Switched project',
  'session.end': 'Session ended',
  'api-token.create': 'Created an API token',
  'api-token.revoke': 'Revoked an API token',
  'agent.enrol': 'Enrolled',
  'agent.revoke': 'Revoked an agent',
  'enrollment.request': 'Enrollment requested',
  'enrollment.approve': 'Enrollment approved',
  'enrollment.decline': 'Enrollment declined',
  'host.remove': 'Removed a host',
  'host.restore': 'Restored a host',
  'host.merge': 'Merged a host',
  'join-token.create': 'Created a join token',
  'join-token.revoke': 'Revoked a join token',
  'finding.acknowledge': 'Acknowledged',
  'finding.end-acknowledgement': 'Ended an acknowledgement',
  'finding.mute': 'Muted a kind',
  'finding.unmute': 'Unmuted a kind',
  'view.create': 'Saved a view',
  'view.update': 'Changed a view',
  'view.delete': 'Deleted a view',
  'cloud.create': 'Cloud first seen',
  'cloud.tell-api-aliases': 'Set the aliases of Nova’s API',
  'cloud.forget-api-aliases': 'Removed the aliases of Nova’s API',
  'cloud.tell-quota-driver': 'Set the quota driver of Nova’s API',
  'cloud.withdraw-quota-driver': 'Removed the quota driver of Nova’s API',
  'kept-trait.begin': 'Started to restore a managed trait',
  'kept-trait.put-back': 'Restored a managed trait',
  'kept-trait.fail': 'Failed to restore a managed trait',
  'kept-trait.end': 'Stopped managing a trait',
  'quota-request.make': 'Requested quota',
  'quota-request.withdraw': 'Withdrew a request',
  'quota-request.approve': 'Approved a request',
  'quota-request.decline': 'Declined a request',
  'quota-request.take-back': 'Started to revert a granted limit',
  'quota-request.end': 'Ended a granted limit',
  'limit-trial.begin': 'Started a limit check',
  'limit-trial.end': 'Finished a limit check',
  'catalog.watch': 'Subscribed to free capacity',
  'catalog.end-watch': 'Unsubscribed from free capacity',
  'catalog.tell': 'Queued a notification of free capacity',
  'catalog.tell-fail': 'Webhook delivery failed',
  'server.request': 'Requested a server',
  'server.create': 'Created a server',
  'server.refuse': 'Server was not created',
  'server.lose': 'Nova did not confirm a server',
  'command-key.create': 'Created the signing key',
  'command-key.replace': 'Replaced the signing key',
  'console-secret.record': 'Recorded the console secret',
  'console-secret.rotate': 'Rotated the console secret',
  'console-secret.replace': 'Replaced the console secret',
  'agent-command.deliver': 'Fetched a command',
  'agent-command.end': 'Finished a command',
  'agent-command.end-late': 'Finished a command too late',
  'agent-command.expired': 'Command expired',
  'agent-command.withdrawn': 'Withdrew a command',
  'change.plan': 'Saved a plan',
  'change.set-terms': 'Set policy',
  'change.approve': 'Approved',
  'change.start': 'Started',
  'change.stop': 'Stopped',
  'change.go-on': 'Resumed',
  'change.roll-back': 'Started the rollback',
  'change.drop': 'Discarded',
  'change.fail': 'Stopped after a failure',
  'change.finish': 'Finished',
  'change.step.begin': 'Step started',
  'change.step.happened': 'Step done',
  'change.step.wait': 'Step waits',
  'change.step.block': 'Step blocked',
  'change.step.fail': 'Step failed',
  'change.step.skip': 'Step skipped',
  'change.step.begin-undo': 'Step rollback started',
  'change.step.undone': 'Step rolled back',
  'webhook.create': 'Added a webhook',
  'webhook.change': 'Changed a webhook',
  'webhook.delete': 'Deleted a webhook',
  'webhook.renew-secret': 'Renewed a webhook’s secret',
  'webhook.test': 'Sent a test to a webhook',
  'webhook.send-again': 'Redelivered a webhook message',
  'price.add': 'Added a price',
  'scenario.create': 'Created a scenario',
  'scenario.save': 'Saved a scenario',
  'scenario.delete': 'Deleted a scenario',
  'review.make': 'Froze a review',
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(ACTION_LABELS, action)

/** The label of an action. An action of another release has none: `host.take-over` is then "Host: take over". */
export const actionLabel = (action: string): string => {
  if (isKnown(action)) return ACTION_LABELS[action]
  const [noun = '', ...deed] = action.replaceAll('-', ' ').split('.')
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${deed.join(' ')}`
}

/** The page of the subject of an entry; null: it has none. */
export const subjectPath = (subject: string, cloud: string | null): string | null => {
  const [kind, rest = ''] = subject.split(/[:/]/)
  if (kind === 'kept-trait') {
    const [host = '', address = ''] = subject.slice('kept-trait:'.length).split('/')
    return gpuPath({ cloud, host, address })
  }
  if (kind === 'quota-request' && /^\d+$/.test(rest)) return quotaRequestPath({ cloud, id: Number(rest) })
  if (kind === 'host') return hostPath({ cloud, host: rest })
  if (kind === 'webhook') return webhookSettingsPath({ cloud })
  if (kind === 'price') return priceSettingsPath({ cloud })
  if (kind === 'scenario' && /^\d+$/.test(rest)) return scenariosPath({ cloud, search: { a: rest } })
  if (kind === 'review' && /^\d+$/.test(rest)) return reviewPath({ cloud, id: Number(rest) })
  return kind === 'change' && /^\d+$/.test(rest) ? changePath({ cloud, id: Number(rest) }) : null
}
