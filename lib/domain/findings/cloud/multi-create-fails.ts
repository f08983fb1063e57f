import { vgpuActionSentence } from '@/lib/domain/cloud/vgpu-actions'
import { canTakeTwo } from '@/lib/domain/fit/can-take-two'
import { cloudReports, type FlavorDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject } from './flavor-view'

const CODE = 'multi-create-fails'

/**
 * Bug 1874664: Nova tries only the first of Placement's candidates of each host, so the servers of one multi-create must
 * all come from the same providers. Reported if a multi-create of two must fail although two fit.
 */
export const multiCreateFails: FlavorDetector = {
  code: CODE,
  title: 'Multi-create fails although the servers fit',
  reference: {
    severities: ['info'],
    sources: [],
    detection:
      'Flavors and Placement: two servers of a flavor fit one after the other, and no provider can take both.',
    consequence: 'A request for several servers at once ends in NoValidHost (bug 1874664).',
    nextStep: 'Create the servers one at a time.',
  },
  needs: ['flavors', 'providers', 'services'],
  detectFlavor: (view, fleet) => {
    const { classes, request } = view
    if (classes.length === 0 || request.aliases.length > 0) return []
    const answer = canTakeTwo(fleet, view.flavor)
    if (answer.because !== null) return [{ code: CODE, scope: flavorSubject(view), because: answer.because }]
    if (!answer.oneByOne || answer.atOnce) return []
    return [
      makeFinding({
        code: CODE,
        severity: 'info',
        subject: flavorSubject(view),
        sentence: `multi-create of ${view.flavor.name} fails although two servers fit`,
        consequence: vgpuActionSentence('multiCreate', fleet.input.facts.versions),
        nextStep: 'Create the servers one at a time.',
        sourceToCorrect: null,
        evidence: [
          flavorReports(fleet, view),
          cloudReports(
            fleet,
            'providers',
            'no provider has capacity for two of them, and all are on one host',
          ),
        ],
      }),
    ]
  },
}
