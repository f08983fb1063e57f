import type { FleetDetector } from './detector'
import { extraSpecFindings } from './extra-spec-finding'

const CODE = 'flavor-value-refused'

/**
 * An alias entry without NAME:COUNT raises ValueError in nova/pci/request.py _translate_alias_to_requests (500), an unknown
 * NUMA policy raises InvalidPCINUMAAffinity in nova/virt/hardware.py (400).
 */
export const flavorValueRefused: FleetDetector = {
  code: CODE,
  title: 'Nova refuses every server of a flavor',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection: 'Flavors: the value of an extra spec raises an error in Nova.',
    consequence: 'The Nova API answers each request for a server of the flavor with an error.',
    nextStep: 'Correct or remove the extra spec.',
  },
  needs: ['flavors'],
  detect: (fleet) =>
    extraSpecFindings(fleet, 'refused', {
      code: CODE,
      sentence: ({ key, value, because }, name) => `Nova refuses ${key}=${value} of ${name}: ${because}`,
      consequence: 'The Nova API answers each request for a server of this flavor with an error.',
    }),
}
