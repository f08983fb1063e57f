import { describe, expect, test } from 'vitest'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { branchCautions, excludedPairReasons, ruleFacts } from './migration-rules'

const hostInfo = (host: Partial<Inventory['host']>): Inventory['host'] => ({
  ...buildInventory({ cards: [] }).host,
  ...host,
})

const DATED = /\(docs\.nvidia\.com\/\S+, \d{4}-\d\d-\d\d\)$/
const card = (model: string, framebufferMib: number | null = null) => ({ model, framebufferMib })
const on = (host: { kernel?: string; osName?: string }, ...cards: ReturnType<typeof card>[]) =>
  ruleFacts(hostInfo(host), cards)
const EL9_4 = { kernel: '5.14.0-427.13.1.el9_4.x86_64', osName: 'Red Hat Enterprise Linux 9.4 (Plow)' }
const EL9_6 = { kernel: '5.14.0-570.12.1.el9_6.x86_64', osName: 'Red Hat Enterprise Linux 9.6 (Plow)' }
const EL10 = { kernel: '6.12.0-55.9.1.el10_0.x86_64', osName: 'Red Hat Enterprise Linux 10.0 (Coughlan)' }
const NAME_ONLY = { kernel: '6.12.0', osName: 'Red Hat Enterprise Linux 10.1 (Coughlan)' }
const UBUNTU = { kernel: '6.8.0-60-generic', osName: 'Ubuntu 24.04.2 LTS' }

describe('pairs that NVIDIA excludes', () => {
  test.each([
    [EL9_4, EL10, 1],
    [EL10, EL9_4, 1],
    [EL9_4, NAME_ONLY, 1],
    [EL9_6, EL10, 0],
    [EL9_4, EL9_6, 0],
    [EL9_4, UBUNTU, 0],
  ])('systems %j and %j', (from, to, count) => {
    const reasons = excludedPairReasons(on(from, card('NVIDIA L40S')), on(to, card('NVIDIA L40S')))
    expect(reasons).toHaveLength(count)
    for (const reason of reasons) expect(reason).toMatch(DATED)
  })

  test.each([
    ['NVIDIA H100 80GB HBM3', 'NVIDIA H200', 'H100, H200 and H800'],
    ['NVIDIA H800', 'NVIDIA H200', 'H100, H200 and H800'],
    ['NVIDIA H100 PCIe', 'NVIDIA H100 NVL', '80 GB PCIe and 94 GB NVL'],
    ['NVIDIA A100 80GB PCIe', 'NVIDIA H100 NVL', '80 GB PCIe and 94 GB NVL'],
    ['NVIDIA H100 80GB HBM3', 'NVIDIA H100 80GB HBM3', null],
    ['NVIDIA H200', 'NVIDIA H200 NVL', null],
    ['NVIDIA A100-PCIE-40GB', 'NVIDIA H100 NVL', null],
    ['NVIDIA L40S', 'NVIDIA H100 NVL', null],
  ])('boards %s and %s', (from, to, because) => {
    for (const [one, other] of [
      [from, to],
      [to, from],
    ]) {
      const reasons = excludedPairReasons(on(UBUNTU, card(one ?? '')), on(UBUNTU, card(other ?? '')))
      if (because === null) expect(reasons).toEqual([])
      else expect(reasons).toEqual([expect.stringContaining(because)])
    }
  })

  test('a host with a board that fits is not excluded', () => {
    const mixed = on(UBUNTU, card('NVIDIA H200'), card('NVIDIA H100 NVL', 95_830))
    expect(excludedPairReasons(mixed, on(UBUNTU, card('NVIDIA H200')))).toEqual([])
    expect(excludedPairReasons(mixed, on(UBUNTU, card('NVIDIA H800')))).toHaveLength(1)
  })
})

describe('cautions by the driver', () => {
  const of = (nvidiaDriverVersion: string | null, osName = UBUNTU.osName) =>
    branchCautions(hostInfo({ osName, nvidiaDriverVersion }))

  test('Ubuntu is supported from vGPU 17 on', () => {
    expect(of('550.90.05')).toEqual([])
    expect(of('580.105.06')).toEqual([])
    expect(of('535.161.05')).toEqual([
      'runs Ubuntu with vGPU 16 (535); NVIDIA supports live migration there from vGPU 17 (550) on',
    ])
    expect(of('535.161.05', EL9_4.osName)).toEqual([])
    expect(of(null)).toEqual([])
  })

  test('a driver after the table is a separate result', () => {
    expect(of('595.10.01')).toEqual([])
    expect(of('612.10.01')).toEqual([
      'has driver 612.10.01, which is newer than vGPU 20 (595), the newest release with known rules',
    ])
  })
})
