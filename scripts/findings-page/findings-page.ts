import { isFromRelease } from '@/lab/watcher/releases'
import { SOURCE_TO_CORRECT_LABELS } from '@/lib/domain/finding-list/finding-labels'
import { CLOUD_REFERENCES } from '@/lib/domain/findings/cloud/registry'
import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import type { FindingSource } from '@/lib/schemas/api/finding'
import { FINDING_SOURCES } from '@/lib/schemas/choices'
import type { Severity } from '@/lib/schemas/severity'
import type { LabTest, VerifiedRelease } from './lab-tests'

/** A finding as the page lists it. */
type Entry = {
  code: string
  title: string
  severities: readonly Severity[]
  sources: readonly FindingSource[]
  detection: string
  consequence: string
  nextStep: string
}

const RISKS = 'Risks and incomplete reports'

const AREAS: Readonly<Record<FindingSource, string>> = {
  hardware: 'Devices of a host',
  'nova.conf': 'nova.conf',
  placement: 'Placement',
  nova: 'Nova',
  keystone: 'Keystone',
  neutron: 'Neutron',
  libvirt: 'Guests',
  agent: 'Agents',
}

const entries: readonly Entry[] = [
  ...Object.entries(HOST_FINDINGS).map(([code, { source, isRisk, ...rest }]) => ({
    code,
    ...rest,
    sources: isRisk === true ? [] : [source],
  })),
  ...CLOUD_REFERENCES.map(({ code, title, reference }) => ({ code, title, ...reference })),
].toSorted((a, b) => (a.code < b.code ? -1 : 1))

const areaOf = ({ sources: [first] }: Entry): string => (first === undefined ? RISKS : AREAS[first])

const runsOn = (limit: string, name: string): boolean => {
  if (limit.startsWith('<')) return !isFromRelease(name, limit.slice(1))
  return limit.endsWith('+') ? isFromRelease(name, limit.slice(0, -1)) : limit === name
}

/** "Nova 26.2.2 (zed)" for each release, with the tests. */
const verifiedText = (tests: readonly LabTest[], releases: readonly VerifiedRelease[]): string => {
  const testsOn = ({ name, changedSince }: VerifiedRelease): LabTest[] =>
    tests.filter(
      ({ file, release }) => !changedSince.includes(file) && (release === null || runsOn(release, name)),
    )
  const verified = releases.filter((release) => testsOn(release).length > 0)
  if (verified.length === 0) return 'Not verified in the lab'
  const files = [...new Set(verified.flatMap(testsOn).map(({ file }) => `\`${file}\``))]
  return `${verified.map(({ name, nova }) => `Nova ${nova} (${name})`).join(', ')}: ${files.join(', ')}`
}

const sourceText = ({ sources }: Entry): string =>
  [...new Set(sources.map((source) => SOURCE_TO_CORRECT_LABELS[source]))].join(' or ') || 'none'

const section = (entry: Entry, tests: readonly LabTest[], releases: readonly VerifiedRelease[]): string =>
  [
    `### \`${entry.code}\``,
    '',
    `**${entry.title}**`,
    '',
    `- Severity: ${entry.severities.join(' or ')}`,
    `- Source to correct: ${sourceText(entry)}`,
    `- Meaning: ${entry.consequence}`,
    `- Detection: ${entry.detection}`,
    `- Repair: ${entry.nextStep}`,
    `- Verified on: ${verifiedText(tests, releases)}`,
  ].join('\n')

const INTRODUCTION = `# Findings

Every finding of the console, sorted by its source to correct. \`npm run docs:findings\` writes this page from the detectors; do not edit it.

- Severity: several values mean that the severity depends on the case.
- Source to correct: several values mean that the evidence decides. A risk has none.
- Detection: the sources that are compared. If one of them is missing or outdated, the console reports the finding as unknown.
- Repair: the general form. The console shows the exact command for the affected object.
- Verified on: the releases on which a [lab](lab.md) test breaks a real OpenStack and expects the finding. All other findings are tested with built facts only.`

/** The text of docs/findings.md. */
export const findingsPage = (tests: readonly LabTest[], releases: readonly VerifiedRelease[]): string => {
  const areas = [...new Set([...FINDING_SOURCES.map((source) => AREAS[source]), RISKS])].map((area) => ({
    area,
    own: entries.filter((entry) => areaOf(entry) === area),
  }))
  const parts = areas
    .filter(({ own }) => own.length > 0)
    .flatMap(({ area, own }) => [
      `## ${area}`,
      ...own.map((entry) =>
        section(
          entry,
          tests.filter(({ code }) => code === entry.code),
          releases,
        ),
      ),
    ])
  return `${[INTRODUCTION, ...parts].join('\n\n')}\n`
}
