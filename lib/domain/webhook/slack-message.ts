import type { FindingLine } from '@/lib/schemas/webhook/webhook-event'
import { findingPath } from '@/lib/util/paths'
import { eventPath, eventWords, findingWords } from './event-words'
import { linkTo, type Outgoing } from './json-message'

type Section = { type: 'section'; text: { type: 'mrkdwn'; text: string } }
export type SlackMessage = { text: string; blocks: Section[] }

/** docs.slack.dev, block kit: a section's text has at most 3,000 characters; `text` is best kept under 4,000. */
const MOST_IN_SECTION = 3000
const MOST_IN_LINE = 500
const MOST_IN_TEXT = 4000

/** The three characters that mean something in Slack's mrkdwn, and nothing else, as its manual asks. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Cut before it is escaped, so that no escape is cut in the middle. */
const shown = (text: string): string =>
  escapeSlack(text.length > MOST_IN_LINE ? `${text.slice(0, MOST_IN_LINE - 1)}…` : text)

const linked = (text: string, url: string | null): string => {
  const words = shown(text)
  return url === null ? words : `<${escapeSlack(url).replaceAll('|', '%7C')}|${words.replaceAll('|', '¦')}>`
}

const WORDS: Readonly<Record<FindingLine['change'], string>> = {
  opened: '',
  reopened: ' (again)',
  closed: ' (over)',
}

const lineOf = (outgoing: Outgoing, line: FindingLine): string => {
  const { change, id, severity } = line
  const url = linkTo(outgoing, findingPath({ cloud: outgoing.event.cloud, id }))
  return `• ${severity}${WORDS[change]}: ${linked(findingWords(line), url)}`
}

const section = (text: string): Section => ({ type: 'section', text: { type: 'mrkdwn', text } })

/** As many whole lines as fit, and how many are left out. */
const fitting = (lines: readonly string[], most: number): { kept: string[]; left: number } => {
  const kept: string[] = []
  let length = 0
  for (const line of lines) {
    if (length + line.length + 1 > most) break
    kept.push(line)
    length += line.length + 1
  }
  return { kept, left: lines.length - kept.length }
}

const withRest = (lines: readonly string[], { most, more }: { most: number; more: number }): string => {
  const { kept, left } = fitting(lines, most - 40)
  const rest = left + more
  return [...kept, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')
}

/** Slack's incoming webhook: `text` for notifications and for receivers that know no blocks, `blocks` for the channel. */
export const slackMessage = (outgoing: Outgoing): SlackMessage => {
  const { event } = outgoing
  const head = `*${shown(event.cloud)}*: ${linked(eventWords(event), linkTo(outgoing, eventPath(event)))}`
  if (event.event !== 'findings.changed' || event.findings.length + event.more === 1)
    return { text: head, blocks: [section(head)] }
  const lines = event.findings.map((line) => lineOf(outgoing, line))
  const rest = (most: number) => withRest(lines, { most, more: event.more })
  return {
    text: `${head}\n${rest(MOST_IN_TEXT - head.length - 1)}`,
    blocks: [section(head), section(rest(MOST_IN_SECTION))],
  }
}
