import { describe, expect, it } from 'vitest'
import { novaRange } from '@/lib/domain/nova-config/nova-releases'
import { findsDefined, type MdevStart, mdevStart } from './mdev-start'

describe('what nova-compute does about mdevs at its start', () => {
  it.each<[string, string | null, string | null, MdevStart]>([
    ['Zed', '2.93', '8.0.0', 'looks-up'],
    ['2023.2', '2.95', '9.0.0', 'looks-up'],
    ['2024.1 or 2024.2', '2.96', '10.0.0', null],
    ['2024.1 or 2024.2 with an old libvirt', '2.96', '7.0.0', 'looks-up'],
    ['2025.1', '2.100', '11.3.0', 'starts-defined'],
    ['2025.1 with an old libvirt', '2.100', '7.0.0', 'looks-up'],
    ['2025.1 or 2025.2 with an unknown libvirt', '2.100', null, null],
    ['2026.1', '2.103', null, 'starts-defined'],
    ['an unknown release', null, '11.3.0', null],
  ])('%s', (_, nova, libvirt, expected) => {
    expect(mdevStart({ range: novaRange(nova), libvirt })).toBe(expected)
  })

  it.each([
    ['6.0.0', false],
    ['7.3.0', true],
    ['7.6.0', true],
    ['7.7.0', false],
    [null, null],
  ])('libvirt %s finds a definition by the name that nova-compute requests: %s', (libvirt, expected) => {
    expect(findsDefined(libvirt)).toBe(expected)
  })
})
