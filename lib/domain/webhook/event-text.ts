import { actorLabel } from '@/lib/domain/wording'
import type { FindingLine, WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import { formatNoun } from '@/lib/util/format'
import {
  capacityPath,
  catalogPath,
  changePath,
  findingPath,
  findingsPath,
  overviewPath,
} from '@/lib/util/paths'

type Of<Name extends WebhookEvent['event']> = Extract<WebhookEvent, { event: Name }>

const findingsText = ({ counts: { opened, reopened, closed }, findings, more }: Of<'findings.changed'>) => {
  const [only] = findings
  if (only !== undefined && findings.length === 1 && more === 0)
    return `${only.change === 'closed' ? 'Closed' : 'Finding'}: ${findingText(only)}`
  const parts = [
    opened > 0 ? `${formatNoun(opened, 'finding')} opened` : null,
    reopened > 0 ? `${reopened} reopened` : null,
    closed > 0 ? `${closed} closed` : null,
  ].filter((part) => part !== null)
  return opened > 0 ? parts.join(', ') : `Findings: ${parts.join(', ')}`
}

type Subject = FindingLine['subject']

const doesName = (sentence: string, name: string): boolean =>
  sentence
    .split(/[\s(),;"“”'’]+/)
    .map((word) => word.replace(/[.:]+$/, ''))
    .includes(name)

/** What the sentence does not name itself of its subject; null: it names all of it. */
const unnamedText = (subject: Subject, sentence: string): string | null => {
  if (subject.kind !== 'host' && subject.kind !== 'pgpu') return subjectText(subject)
  const names = subject.kind === 'host' ? [subject.host] : [subject.host, subject.address]
  const unnamed = names.filter((name) => !doesName(sentence, name))
  return unnamed.length === 0 ? null : unnamed.join(' ')
}

/** A finding in a line, with its host named once: `cmp-07 0000:41:00.0: 2 orphaned mdevs lock the GPU to M10-2Q`. */
export const findingText = ({ subject, sentence }: Pick<FindingLine, 'subject' | 'sentence'>): string => {
  const unnamed = unnamedText(subject, sentence)
  return unnamed === null ? sentence : `${unnamed}: ${sentence}`
}

/** What a finding is about, in a few words: `cmp-07 0000:41:00.0`. */
const subjectText = (subject: Subject): string => {
  switch (subject.kind) {
    case 'cloud':
      return 'the cloud'
    case 'host':
      return subject.host
    case 'pgpu':
      return `${subject.host} ${subject.address}`
    case 'limit':
      return `the limit of ${subject.resourceName}`
    default:
      return `${subject.kind} ${subject.name}`
  }
}

const STATE_LABELS: Readonly<Record<string, string>> = {
  done: 'is done',
  undone: 'is rolled back',
  dropped: 'is discarded midway',
  stopped: 'has stopped',
}

const changeText = ({ change }: Of<'change.finished' | 'change.stopped'>) => {
  const { id, title, state, by, reason } = change
  const who = by === null || reason !== null ? '' : ` (${actorLabel(by)})`
  const why = reason === null ? '' : `: ${reason}`
  return `Change ${id}, ${title}, ${STATE_LABELS[state] ?? `is ${state}`}${who}${why}`
}

const clock = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

/** What happened in one line of plain text, without the cloud's name. Times are in UTC, since a receiver may be anywhere. */
export const eventText = (event: WebhookEvent): string => {
  switch (event.event) {
    case 'findings.changed':
      return findingsText(event)
    case 'exhaustion.begun':
      return `No ${event.type.name} has been free since ${clock(event.since)}: guests hold ${event.used} of ${event.capacity}`
    case 'exhaustion.ended':
      return event.because === 'free'
        ? `${event.type.name} has been free again since ${clock(event.endedAt)}; none was free since ${clock(event.since)}`
        : `No card has had ${event.type.name} since ${clock(event.endedAt)}; none was free since ${clock(event.since)}`
    case 'exhaustion.expected': {
      const { group, likely, used, capacity } = event
      const name = group.by === 'type' ? group.label : `The aggregate ${group.label}`
      return `${name} is likely to be full on ${likely}: guests hold up to ${used} of ${capacity}`
    }
    case 'change.finished':
    case 'change.stopped':
      return changeText(event)
    case 'flavor.free': {
      const { flavor, user, project } = event
      return `${flavor.name} is available: ${user.name ?? user.id} in project ${project.name ?? project.id} waits for it`
    }
    case 'test':
      return `A test, sent by ${actorLabel(event.by)}`
  }
}

/** The console's page of an event, as a path. */
export const eventPath = (event: WebhookEvent): string => {
  const { cloud } = event
  switch (event.event) {
    case 'findings.changed': {
      const [only] = event.findings
      const isOne = only !== undefined && event.findings.length === 1 && event.more === 0
      return isOne ? findingPath({ cloud, id: only.id }) : findingsPath({ cloud })
    }
    case 'exhaustion.begun':
    case 'exhaustion.ended':
    case 'exhaustion.expected':
      return capacityPath({ cloud, search: { tab: 'forecast' } })
    case 'change.finished':
    case 'change.stopped':
      return changePath({ cloud, id: event.change.id })
    case 'flavor.free':
      return catalogPath({ search: { flavor: event.flavor.id } })
    case 'test':
      return overviewPath({ cloud })
  }
}
