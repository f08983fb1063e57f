import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { mayBeCyborgs } from '@/lib/domain/cloud/provider-owner'
import { isHeldByOthers, sourceOfType } from '@/lib/domain/cloud/source-to-correct'
import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import { type Finding, findingKey, type Subject, type Unverified } from '../finding'
import { SUPERSEDED_BY } from './codes'
import { hostGap } from './host-gaps'

/**
 * A host detector's finding in the shape of all findings; `pgpuAddress` null: it is about the host. Its detail, which names
 * files, devices and the way out, is the evidence.
 */
const toFinding = (
  joined: JoinedHost,
  { finding, pgpuAddress, part }: { finding: HostFinding; pgpuAddress: string | null; part: string | null },
): Finding | null => {
  const text = HOST_FINDINGS[finding.code]
  if (text === undefined) return null
  const host = joined.host.name
  const subject: Subject =
    pgpuAddress === null ? { kind: 'host', host } : { kind: 'pgpu', host, address: pgpuAddress }
  const { consequence, nextStep, source, isRisk } = text
  const entry = joined.pgpus.find(({ pgpu }) => pgpu.address === pgpuAddress)
  // Unused mdevs are leftovers, unless nova.conf is wrong about the type that servers use.
  const sourceToCorrect =
    finding.code === 'orphan-mdevs' && entry !== undefined
      ? sourceOfType(isHeldByOthers(joined, entry))
      : source
  return {
    key: findingKey(finding.code, subject, part),
    code: finding.code,
    severity: finding.severity,
    subject,
    sentence: finding.sentence,
    consequence,
    nextStep,
    command: null,
    sourceToCorrect: isRisk === true ? null : sourceToCorrect,
    evidence: [{ source, reported: finding.detail, at: joined.host.seenAt }],
  }
}

/**
 * Several findings of one code on one subject are numbered; the first has no number, so that the key of a single one is
 * stable.
 */
const convertAll = (
  joined: JoinedHost,
  findings: readonly HostFinding[],
  pgpuAddress: string | null,
): Finding[] => {
  const counts = new Map<string, number>()
  return findings.flatMap((finding) => {
    const count = counts.get(finding.code) ?? 0
    counts.set(finding.code, count + 1)
    const converted = toFinding(joined, { finding, pgpuAddress, part: count === 0 ? null : String(count) })
    return converted === null ? [] : [converted]
  })
}

/** The hosts' own findings, in steps; a silent host's are neither repeated nor closed. */
export function* hostFindings(
  fleet: Fleet,
  found: readonly Finding[],
): Generator<void, { findings: Finding[]; unverified: Unverified[] }> {
  const keys = new Set(found.map(({ key }) => key))
  const isSuperseded = ({ code, subject }: Finding): boolean => {
    const better = SUPERSEDED_BY.get(code)
    return better !== undefined && keys.has(findingKey(better, subject))
  }
  const findings: Finding[] = []
  const unverified: Unverified[] = []
  for (const joined of fleet.hosts) {
    yield
    const gap = hostGap(joined, [])
    const scope: Subject = { kind: 'host', host: joined.host.name }
    if (gap !== null) {
      for (const code of Object.keys(HOST_FINDINGS)) unverified.push({ code, scope, because: gap })
      continue
    }
    const own = [
      ...convertAll(joined, joined.host.description.findings, null),
      ...joined.pgpus.flatMap(({ pgpu }) => convertAll(joined, pgpu.findings, pgpu.address)),
    ]
    // What Cyborg created is attached by Cyborg, which no source here reports.
    const isCyborgs = ({ code, subject }: Finding): boolean =>
      code === 'orphan-mdevs' && subject.kind === 'pgpu' && mayBeCyborgs(fleet, joined, subject.address)
    findings.push(...own.filter((finding) => !isSuperseded(finding) && !isCyborgs(finding)))
  }
  return { findings, unverified }
}
