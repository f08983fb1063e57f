import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { FindingLine, WebhookEvent } from '@/lib/schemas/webhook/webhook-event'

/** What one message lists; the rest it counts. */
export const MAX_LINES = 20

const ORDER: readonly FindingLine['change'][] = ['opened', 'reopened', 'closed']

/**
 * What one round did to the findings that a webhook wants, as one event; null: nothing that it wants. The most urgent come
 * first, and what opened before what closed.
 */
export const bundleFindings = ({
  lines,
  from,
  at,
  cloud,
}: {
  lines: readonly FindingLine[]
  /** The least severity that is wanted. */
  from: FindingLine['severity']
  /** ISO 8601 UTC. */
  at: string
  cloud: string
}): WebhookEvent | null => {
  const wanted = lines
    .filter(({ severity }) => compareSeverity(severity, from) <= 0)
    .toSorted(
      (a, b) =>
        ORDER.indexOf(a.change) - ORDER.indexOf(b.change) ||
        compareSeverity(a.severity, b.severity) ||
        a.id - b.id,
    )
  if (wanted.length === 0) return null
  const count = (change: FindingLine['change']) => wanted.filter((line) => line.change === change).length
  return {
    event: 'findings.changed',
    at,
    cloud,
    counts: { opened: count('opened'), reopened: count('reopened'), closed: count('closed') },
    findings: wanted.slice(0, MAX_LINES),
    more: Math.max(0, wanted.length - MAX_LINES),
  }
}
