import type { FleetDetector } from './detector'
import { extraSpecFindings } from './extra-spec-finding'

const CODE = 'flavor-value-ignored'

/** An extra spec that Nova ignores, such as `resource:VGPU=1` or Skyline's `resources:VGPU=vgpu:1`. */
export const flavorValueIgnored: FleetDetector = {
  code: CODE,
  title: 'Nova ignores an extra spec of a flavor',
  reference: {
    severities: ['error', 'warning'],
    sources: ['nova'],
    detection: 'Flavors: an extra spec does not match a key or value that Nova reads.',
    consequence: 'Servers of the flavor start without this resource or trait, and Nova reports no error.',
    nextStep: 'Replace the extra spec with the form that Nova reads.',
  },
  needs: ['flavors'],
  detect: (fleet) =>
    extraSpecFindings(fleet, 'ignored', {
      code: CODE,
      sentence: ({ key, value, because }, name) => `Nova ignores ${key}=${value} of ${name}: ${because}`,
      consequence: 'Servers of this flavor start without this resource or trait, and Nova reports no error.',
    }),
}
