import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { pciClass } from '@/lib/domain/nova-config/pci-names'
import { specTraits } from '@/lib/domain/nova-config/spec-traits'
import type { OracleAnswer } from '../harness/open-oracle'
import type { Random } from '../harness/random'

type PciNamesInput = { resourceClass: string; traits: string; vendorId: string; productId: string }
export type PciNamesResult = [isIncluded: boolean, resourceClass: string | null, traits: string[]]

const STANDARD = [
  'VGPU',
  'PGPU',
  'PCPU',
  'FPGA',
  'HW_GPU_API_VULKAN',
  'HW_NIC_SRIOV',
  'CUSTOM_A40',
  'CUSTOM_',
] as const
const PARTS = ['CUSTOM', 'custom', 'HW', 'gpu', 'A40', '8q', 'vulkan', 'é', 'ß', 'ſ', '\u0131', ''] as const
const JOINTS = ['_', '_', '-', ' ', '  ', '.', '/', '__', '\n', '\u00a0'] as const

const name = (random: Random): string => {
  const known = random.pick(STANDARD)
  if (random.chance(0.6)) return random.chance(0.9) ? known : known.toLowerCase()
  const parts = Array.from({ length: random.pick([1, 2, 3, 4]) }, () => random.pick(PARTS))
  return parts.join(random.pick(JOINTS))
}

/** Names of which Nova keeps about half. */
export const generatePciNames = (random: Random): PciNamesInput => ({
  resourceClass: name(random),
  traits: Array.from({ length: random.pick([0, 1, 2, 3]) }, () => name(random)).join(','),
  vendorId: random.pick(['10de', '1002', '8086']),
  productId: random.pick(['1eb8', '25B6', '74a1']),
})

export const ourPciNames = (
  { resourceClass, traits, ...ids }: PciNamesInput,
  range: NovaRange,
): PciNamesResult => {
  const found = pciClass(resourceClass, ids)
  return [found === resourceClass, found, specTraits({ traits }, range)]
}

export const theirPciNames = (answer: OracleAnswer): PciNamesResult =>
  'refused' in answer ? [false, null, [answer.refused]] : (answer.value as PciNamesResult)
