import { vgpuActionSentence } from '@/lib/domain/cloud/vgpu-actions'
import { firstVgpuOnly, givesAllVgpus } from '@/lib/domain/fit/first-vgpu-only'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { type Detected, type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject } from './flavor-view'
import { versionEvidence } from './limit-evidence'

const CODE = 'flavor-first-vgpu-only'

const specsOf = (extraSpecs: Readonly<Record<string, string>>, suffixes: readonly string[]): string[] =>
  Object.keys(extraSpecs).filter((key) =>
    suffixes.some((suffix) => key.startsWith(`resources${suffix}:`) || key.startsWith(`trait${suffix}:`)),
  )

/** Before 33 (2026.1) nova-compute creates only the vGPUs of the first allocation (bug 1758086). */
export const flavorFirstVgpuOnly: FleetDetector = {
  code: CODE,
  title: 'A flavor requests several vGPUs and this Nova release creates one',
  reference: {
    severities: ['error', 'warning'],
    sources: ['nova'],
    detection:
      "Flavors, Placement and Nova's release: a flavor requests several vGPUs, and nova-compute is older than 33 (2026.1).",
    consequence:
      'Nova creates the vGPUs of one allocation only (bug 1758086). Servers start with too few vGPUs, without an error.',
    nextStep: 'Request one vGPU of a larger type, or a whole card, until nova-compute runs 2026.1.',
  },
  needs: ['flavors', 'providers'],
  detect: (fleet) => {
    const givesAll = givesAllVgpus(fleet)
    if (givesAll === true) return []
    return gpuFlavors(fleet).flatMap((view): Detected[] => {
      const found = firstVgpuOnly(fleet, view.request)
      if (found === null) return []
      const subject = flavorSubject(view)
      if (givesAll === null)
        return [{ code: CODE, scope: subject, because: "Nova's release could not be read" }]
      const { flavor } = view
      const keys = specsOf(
        flavor.extraSpecs,
        found.others.map(({ suffix }) => suffix),
      )
      return [
        makeFinding({
          code: CODE,
          severity: found.isSure ? 'error' : 'warning',
          subject,
          sentence: found.isSure
            ? `${flavor.name} requests ${formatNoun(found.requested, 'vGPU')} of several providers, and this Nova release creates those of one provider`
            : `${flavor.name} requests ${formatNoun(found.requested, 'vGPU')}, and this Nova release creates those of one provider only`,
          consequence: vgpuActionSentence('severalVgpus', fleet.input.facts.versions),
          nextStep:
            'Request one vGPU of a larger type, or a whole card, until nova-compute runs 2026.1. Running servers keep their vGPUs.',
          command: sh`openstack flavor unset ${joinEncoded([...keys.map((key) => shellOption(sh`--property`, key)), sh`--property group_policy`, shellOperands([flavor.id])], ' ')}`,
          sourceToCorrect: 'nova',
          evidence: [flavorReports(fleet, view), versionEvidence(fleet)],
        }),
      ]
    })
  },
}
