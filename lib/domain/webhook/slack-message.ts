import type { FindingLine } from '@/lib/schemas/webhook/webhook-event'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { slack, slackLink, slackText } from '@/lib/util/encode/slack'
import { visible } from '@/lib/util/encode/visible'
import { findingPath } from '@/lib/util/paths'
import { eventPath, eventText, findingText } from './event-text'
import { linkTo, type Outgoing } from './json-message'

type Mrkdwn = Encoded<'slack'>

/** `verbatim`: Slack creates no links, channels or mentions from the text. */
type Section = { type: 'section'; text: { type: 'mrkdwn'; text: Mrkdwn; verbatim: true } }
export type SlackMessage = { text: Mrkdwn; blocks: Section[] }

/** docs.slack.dev, block kit: a section's text has at most 3,000 characters; `text` is best kept under 4,000. */
const MAX_IN_SECTION = 3000
const MAX_IN_LINE = 500
const MAX_IN_TEXT = 4000

/** Shortened before it is escaped, so that no escape is cut, and after its control characters grew to code points. */
const short = (text: string): string => {
  const shown = visible(text)
  return shown.length > MAX_IN_LINE ? `${shown.slice(0, MAX_IN_LINE - 1)}…` : shown
}

const linked = (text: string, url: string | null): Encoded<'slack'> =>
  url === null ? slackText(short(text)) : slackLink({ url, label: short(text) })

const LABELS: Readonly<Record<FindingLine['change'], Mrkdwn>> = {
  opened: slack``,
  reopened: slack` (reopened)`,
  closed: slack` (resolved)`,
}

const lineOf = (outgoing: Outgoing, line: FindingLine): Mrkdwn => {
  const { change, id, severity } = line
  const url = linkTo(outgoing, findingPath({ cloud: outgoing.event.cloud, id }))
  return slack`• ${slackText(severity)}${LABELS[change]}: ${linked(findingText(line), url)}`
}

const section = (text: Mrkdwn): Section => ({
  type: 'section',
  text: { type: 'mrkdwn', text, verbatim: true },
})

/** As many whole lines as fit, and how many are left out. */
const fitting = (lines: readonly Mrkdwn[], max: number): { shown: Mrkdwn[]; left: number } => {
  const shown: Mrkdwn[] = []
  let length = 0
  for (const line of lines) {
    if (length + line.length + 1 > max) break
    shown.push(line)
    length += line.length + 1
  }
  return { shown, left: lines.length - shown.length }
}

const withRest = (lines: readonly Mrkdwn[], { max, more }: { max: number; more: number }): Mrkdwn => {
  const { shown, left } = fitting(lines, max - 40)
  const rest = left + more
  return joinEncoded([...shown, ...(rest > 0 ? [slack`and ${rest} more`] : [])], '\n')
}

/** Slack's incoming webhook: `text` for notifications and for receivers that know no blocks, `blocks` for the channel. */
export const slackMessage = (outgoing: Outgoing): SlackMessage => {
  const { event } = outgoing
  const head = slack`*${slackText(short(event.cloud))}*: ${linked(eventText(event), linkTo(outgoing, eventPath(event)))}`
  if (event.event !== 'findings.changed' || event.findings.length + event.more === 1)
    return { text: head, blocks: [section(head)] }
  const lines = event.findings.map((line) => lineOf(outgoing, line))
  const rest = (max: number) => withRest(lines, { max, more: event.more })
  return {
    text: slack`${head}\n${rest(MAX_IN_TEXT - head.length - 1)}`,
    blocks: [section(head), section(rest(MAX_IN_SECTION))],
  }
}
