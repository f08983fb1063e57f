import { whyUnmeasuredText } from '@/lib/domain/review/unmeasured-idle'
import type { ReviewContent, ReviewContentV2 } from '@/lib/schemas/api/review-content'
import { formatCount, formatNoun } from '@/lib/util/format'

type RefusedReason = ReviewContent['refused']['groups'][number]['reason']
type Unmeasured = Extract<ReviewContentV2['idle'], { isKnown: true }>['untold']
type Longest = { server: string; project: string; since: string; hosts: readonly string[] }

/** The texts of a review's sheet that differ between versions of the content. */
export type SheetTexts = {
  preview: string
  previewUntil: (moment: string) => string
  made: (moment: string, by: string) => string
  fingerprint: string
  capacityUnknown: string
  /** On hosts without data at the end, until version 2. */
  unseen: (capacity: number) => string
  lastKnown: (capacity: number, hosts: number) => string
  noPeak: string
  utilization: string
  unknown: (because: string) => string
  refused: Readonly<Record<RefusedReason, string>>
  longest: (longest: Longest) => string
  unmeasured: (held: number, unmeasured: Unmeasured) => string
  strandedUnknown: string
  strandedNone: string
  strandedNoReason: string
  chartUsed: string
  chartGap: string
  typesNone: string
  fullToo: (types: number) => string
  fullSince: string
  projectsNote: string
  projectsUnknown: string
  projectsNone: string
  done: string
  doneNone: string
  orphans: (mdevs: number, hosts: number) => string
  silentFor: (host: string, time: { day: string; length: string }) => string
  silentSince: (host: string, time: { day: string; length: string }) => string
  silence: string
  findingsNone: string
  help: string
  helpNone: string
  watched: (hours: { whole: number; watched: number }) => string
  wholeCloud: string
}

const onHosts = (hosts: readonly string[]): string => `on ${hosts.join(', then ')}`
const sumOf = (unmeasured: Unmeasured): string =>
  formatCount(unmeasured.reduce((sum, { vgpus }) => sum + vgpus, 0))

/** Of versions 1 to 3: part of what was frozen, so they do not change. */
const UNTIL_V3: SheetTexts = {
  preview: 'Preview, not closed: numbers move',
  previewUntil: (moment) => `known until ${moment}`,
  made: (moment, by) => `made ${moment} by ${by}, numbers frozen`,
  fingerprint: 'SHA-256 of the numbers',
  capacityUnknown: 'nobody knew it',
  unseen: (capacity) => `${formatCount(capacity)} more on hosts that nobody watched`,
  lastKnown: (capacity, hosts) =>
    `includes ${formatCount(capacity)} last known on ${formatNoun(hosts, 'host')}`,
  noPeak: 'nobody watched',
  utilization: 'Utilisation',
  unknown: (because) => `not known: ${because}`,
  refused: {
    'no-valid-host': 'no host could take it',
    'over-limit': 'over a limit',
    'build-failed': 'no host could start it',
  },
  longest: ({ server, project, since, hosts }) =>
    `longest ${server} of ${project}: since ${since}, ${onHosts(hosts)}`,
  unmeasured: (held, unmeasured) =>
    `nobody can tell of ${sumOf(unmeasured)} of ${formatNoun(held, 'held vGPU')}: ${whyUnmeasuredText(unmeasured)}`,
  strandedUnknown: 'the cloud had not said',
  strandedNone: 'every free one could be had',
  strandedNoReason: 'why was not kept',
  chartUsed: 'used at most',
  chartGap: 'nobody watched',
  typesNone: 'No vGPU type was watched at the end.',
  fullToo: (types) => `${formatCount(types)} of them full too`,
  fullSince: 'Since: full at least once a week from then on.',
  projectsNote: 'last week to first',
  projectsUnknown: 'Too little is known to compare.',
  projectsNone: 'None held a vGPU more or less.',
  done: 'What was done',
  doneNone: 'No change ended, and every host was watched.',
  orphans: (mdevs, hosts) => `${formatNoun(mdevs, 'orphan mdev')} removed on ${formatNoun(hosts, 'host')}`,
  silentFor: (host, { day, length }) => `${host} silent for ${length} on ${day}: a gap, not a zero`,
  silentSince: (host, { day, length }) => `${host} silent since ${day}, ${length}: a gap, not a zero`,
  silence: 'silence',
  findingsNone: 'None was open at the end.',
  help: 'What would help most',
  helpNone: 'Nothing follows from these numbers.',
  watched: ({ whole, watched }) =>
    watched === whole
      ? `Watched in all ${formatNoun(whole, 'hour')}.`
      : `Nobody watched in ${formatCount(whole - watched)} of ${formatNoun(whole, 'hour')}: those are gaps, not zeros.`,
  wholeCloud:
    'Refused servers, utilisation, idle vGPUs, projects, changes and findings are those of the whole cloud.',
}

/** Since version 4. Frozen with the content, too: other texts require a new version. */
const SINCE_V4: SheetTexts = {
  preview: 'Preview: the period has not ended',
  previewUntil: (moment) => `data until ${moment}`,
  made: (moment, by) => `created ${moment} by ${by}, values frozen`,
  fingerprint: 'SHA-256 of the content',
  capacityUnknown: 'no data',
  unseen: (capacity) => `${formatCount(capacity)} more on hosts without data`,
  lastKnown: (capacity, hosts) =>
    `includes the last known ${formatNoun(capacity, 'vGPU')} of ${formatNoun(hosts, 'host')} without data`,
  noPeak: 'no data',
  utilization: 'Utilization',
  unknown: (because) => `unknown: ${because}`,
  refused: {
    'no-valid-host': 'no valid host',
    'over-limit': 'quota exceeded',
    'build-failed': 'build failed on the host',
  },
  longest: ({ server, project, since, hosts }) =>
    `longest: ${server} (${project}) since ${since}, ${onHosts(hosts)}`,
  unmeasured: (held, unmeasured) =>
    `unknown for ${sumOf(unmeasured)} of ${formatNoun(held, 'used vGPU')}: ${whyUnmeasuredText(unmeasured)}`,
  strandedUnknown: 'no data from Nova and Placement',
  strandedNone: 'all free vGPUs are available to flavors',
  strandedNoReason: 'the reason was not stored',
  chartUsed: 'peak use',
  chartGap: 'no data',
  typesNone: 'No vGPU type had data at the end.',
  fullToo: (types) => `${formatCount(types)} of them full`,
  fullSince: 'Since: full at least once a week from that day on.',
  projectsNote: 'last week compared with the first',
  projectsUnknown: 'Not enough data to compare.',
  projectsNone: 'No project uses more or fewer vGPUs.',
  done: 'Changes and incidents',
  doneNone: 'No changes were completed, and all hosts reported.',
  orphans: (mdevs, hosts) => `${formatNoun(mdevs, 'orphaned mdev')} removed on ${formatNoun(hosts, 'host')}`,
  silentFor: (host, { day, length }) => `${host}: no data for ${length} on ${day}`,
  silentSince: (host, { day, length }) => `${host}: no data since ${day} (${length})`,
  silence: 'interruption',
  findingsNone: 'No findings were open at the end.',
  help: 'Recommendations',
  helpNone: 'None follow from these values.',
  watched: ({ whole, watched }) =>
    watched === whole
      ? `Data for all ${formatNoun(whole, 'hour')}.`
      : `No data for ${formatCount(whole - watched)} of ${formatNoun(whole, 'hour')}. These are gaps, not zeros.`,
  wholeCloud:
    'Refused servers, utilization, idle vGPUs, projects, changes and findings are those of the whole cloud.',
}

export const sheetTexts = ({ version }: Pick<ReviewContent, 'version'>): SheetTexts =>
  version < 4 ? UNTIL_V3 : SINCE_V4
