import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mdevProviderName, parseProviderName, pciProviderName } from './provider-name'

const hostName = fc.stringMatching(/^[a-z][a-z0-9._-]{0,30}[a-z0-9]$/)
const address = fc
  .tuple(fc.nat(0xffff), fc.nat(0xff), fc.nat(0x1f), fc.nat(7))
  .map(
    ([domain, bus, slot, fn]) =>
      `${domain.toString(16).padStart(4, '0')}:${bus.toString(16).padStart(2, '0')}:${slot.toString(16).padStart(2, '0')}.${fn}`,
  )

it('both forms read back, with dots, dashes and underscores in the name', () => {
  fc.assert(
    fc.property(hostName, address, (hypervisorHostname, pci) => {
      const parts = { hypervisorHostname, address: pci }
      expect(parseProviderName(mdevProviderName(parts), { hasParent: true })).toEqual({
        kind: 'mdev',
        ...parts,
      })
      expect(parseProviderName(pciProviderName(parts), { hasParent: true })).toEqual({
        kind: 'pci',
        ...parts,
      })
    }),
  )
})

it.each([
  ['cmp_pci_0000_84_00_0_pci_0000_85_00_0', 'mdev', 'cmp_pci_0000_84_00_0', '0000:85:00.0'],
  ['cmp-01.example.org_pci_0000_AF_00_4', 'mdev', 'cmp-01.example.org', '0000:af:00.4'],
  ['cmp_1_0000:84:00.0', 'pci', 'cmp_1', '0000:84:00.0'],
  ['cmp_mtty_mtty', 'mdev', 'cmp', 'mtty'],
  ['cmp_pci_0000_84_00_9', 'other', null, null],
])('%s', (name, kind, hypervisorHostname, pci) => {
  expect(parseProviderName(name, { hasParent: true })).toEqual({ kind, hypervisorHostname, address: pci })
})

it('without a parent it is the compute node', () => {
  expect(parseProviderName('cmp-01', { hasParent: false }).kind).toBe('root')
})

it('a virtual parent is named twice', () => {
  expect(mdevProviderName({ hypervisorHostname: 'cmp', address: 'mtty' })).toBe('cmp_mtty_mtty')
})
