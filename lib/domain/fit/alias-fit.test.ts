import { describe, expect, it } from 'vitest'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { Flavor } from '@/lib/domain/cloud/types'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { GPU_FLAVOR, K40C_CONF, type K40cCloud, k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import { heldBy, L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { h100, k40c } from '@/lib/domain/testing/passthrough-cloud'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { aliasSupply } from './alias-supply'
import { flavorQuestion } from './explain-fit'
import { nearestMiss } from './nearest-miss'
import { strandedOf } from './stranded'
import { summarizeFit } from './summarize-fit'
import { explainFit, judgeFit } from './testing/fit-at-once'

const withAlias = (alias: string): Flavor =>
  buildFlavor({ ...GPU_FLAVOR, extraSpecs: { 'pci_passthrough:alias': alias } })
const fleetOf = (cloud: K40cCloud = {}) => joinFleet(k40cCloud({ api: K40C_CONF, ...cloud }))
const summaryIn = (fleet: Fleet, flavor: Flavor) => ({
  ...summarizeFit(fleet, flavor),
  nearest: nearestMiss(fleet, flavor),
})
const summary = (cloud: K40cCloud = {}, alias = 'gpu:1') => summaryIn(fleetOf(cloud), withAlias(alias))
const judged = (cloud: K40cCloud, isOffered: boolean) => {
  const fleet = fleetOf(cloud)
  const roots = new Set(isOffered ? [...fleet.providers.keys()] : [])
  const report = explainFit(fleet, flavorQuestion(GPU_FLAVOR))
  return judgeFit(report, { state: 'answered', roots, isCut: false }).hosts[0]
}
const second = k40c({ address: '0000:af:00.0' })

describe('a flavor that requests PCI devices by an alias', () => {
  it('fits as often as cards of the alias are free', () => {
    expect(summary()).toMatchObject({ fits: 1, atOnce: 1, byPlacement: 1, fittingHosts: 1, possibleHosts: 1 })
    expect(summary({ cards: [second] })).toMatchObject({ fits: 2, atOnce: 2, possibleHosts: 1 })
    expect(summary({ cards: [second] }, 'gpu:2')).toMatchObject({ fits: 1, atOnce: 1, isExact: true })
  })

  it('needs CPU and memory next to the card', () => {
    expect(summary({ ordinary: 15 })).toMatchObject({
      fits: 0,
      possibleHosts: 1,
      nearest: { host: 'hyper18', kind: 'memory' },
    })
  })

  it('waits for a card that a guest has', () => {
    expect(summary({ isCardUsed: true })).toMatchObject({
      fits: 0,
      possibleHosts: 1,
      nearest: { host: 'hyper18', kind: 'full', because: 'all assigned devices of the card are in use' },
    })
  })

  it('can’t have more cards than the host has', () => {
    expect(summary({}, 'gpu:2')).toMatchObject({ fits: 0, possibleHosts: 0, nearest: { kind: 'together' } })
  })

  it('finds no card of another kind, and none that nova.conf keeps', () => {
    const conf = `${K40C_CONF}
pci_passthrough_whitelist = {"vendor_id": "10de", "product_id": "2331"}`
    const report = explainFit(
      fleetOf({ novaConf: conf, cards: [h100(), k40c({ address: '0000:b1:00.0', deviceId: '1023' })] }),
      flavorQuestion(GPU_FLAVOR),
    )
    expect(report.hosts[0]?.pgpus.map(({ fits, blockers }) => [fits.value, blockers[0]?.because])).toEqual([
      [1, undefined],
      [0, 'the alias gpu matches 10de:1024, type-PCI, but not this card'],
      [0, 'no [pci] device_spec assigns the card'],
    ])
  })

  it('is refused everywhere when Nova’s API does not know the alias', () => {
    expect(summary({}, 'gpu:1,titan:1')).toMatchObject({
      fits: 0,
      unknownHosts: 0,
      possibleHosts: 0,
      nearest: { host: null, kind: 'alias', because: "Nova's API has no PCI alias titan" },
    })
  })

  it('is unknown while no agent reports for Nova’s API', () => {
    const { nearest, ...rest } = summaryIn(joinFleet(k40cCloud()), GPU_FLAVOR)
    expect(rest).toMatchObject({ fits: 0, unknownHosts: 1, possibleHosts: null })
    expect(nearest).toMatchObject({ host: null, kind: 'unknown' })
    expect(nearest?.because).toContain('the alias gpu matches')
  })

  // doc/source/admin/pci-passthrough.rst: VFs of an A16 are 10de:25b6, as the card is.
  it('takes VFs of NVIDIA by the product id of their card, which a report does not repeat', () => {
    const conf = `[pci]
device_spec = {"vendor_id": "10de", "address": "0000:c8:00.4", "managed": "no"}
alias = {"name": "vf", "vendor_id": "10de", "product_id": "26b9", "device_type": "type-VF"}`
    const cloud = l40sCloud({ typed: 1, listed: [L40S_VFS[0] ?? ''], flavors: [withAlias('vf:1')] })
    const [host] = cloud.hosts
    if (host === undefined) throw new Error('the cloud has one host')
    const novaConfig = novaConf(conf)
    const inventory = { ...host.inventory, novaConfig, host: { ...host.inventory.host, novaApi: novaConfig } }
    const fleet = joinFleet({ ...cloud, hosts: [{ ...host, inventory }] })
    const [joined] = fleet.hosts
    if (joined === undefined) throw new Error('the cloud has one host')
    expect(aliasSupply(fleet, joined, { aliases: [{ name: 'vf', count: 1 }] })).toMatchObject({
      bins: [{ id: `pci ${L40S_VFS[0]}` }],
      unknownCard: null,
      unknownCards: [],
    })
    expect(summarizeFit(fleet, withAlias('vf:1'))).toMatchObject({ fits: 1, unknownHosts: 0 })
  })

  it('waits for a VF that a process outside libvirt has open', () => {
    const cloud = l40sCloud({ typed: 2 })
    const [host] = cloud.hosts
    if (host === undefined) throw new Error('the cloud has one host')
    const freeWith = (inventory: Inventory): (number | undefined)[] => {
      const fleet = joinFleet({ ...cloud, hosts: [{ ...host, inventory }] })
      const [joined] = fleet.hosts
      if (joined === undefined) throw new Error('the cloud has one host')
      return aliasSupply(fleet, joined, { aliases: [{ name: 'l40s-16q', count: 1 }] }).bins.map(
        ({ free }) => free['PCI device'],
      )
    }
    const deviceHolders = [heldBy(L40S_VFS[0] ?? '')]
    expect(freeWith({ ...host.inventory, deviceHolders })).toEqual([0, 1])
    expect(freeWith({ ...host.inventory, deviceHolders, guests: null })).toEqual([0, 1])
    expect(freeWith(host.inventory)).toEqual([1, 1])
  })

  it('takes the no of Placement, and is not surprised by its yes', () => {
    expect(judged({}, true)).toMatchObject({ state: 'fits', discrepancy: null })
    expect(judged({ isCardUsed: true }, true)).toMatchObject({
      state: 'blocked',
      discrepancy: null,
      reasons: [{ kind: 'full' }],
    })
    expect(judged({}, false)).toMatchObject({ state: 'blocked', discrepancy: 'unexplained' })
  })
})

describe('a free card that is assigned whole', () => {
  const strandedIn = (cloud: K40cCloud) => {
    const fleet = joinFleet(k40cCloud(cloud))
    const [joined] = fleet.hosts
    const [entry] = joined?.pgpus ?? []
    if (joined === undefined || entry === undefined) throw new Error('the cloud has a card')
    return strandedOf(fleet, joined, entry)
  }

  it('is schedulable while a flavor names its alias and CPU, memory and disk are free', () => {
    expect(strandedIn({ api: K40C_CONF })).toMatchObject({ value: 0, because: null })
  })

  it('is stranded when ordinary servers have the memory, or when no flavor names its alias', () => {
    expect(strandedIn({ api: K40C_CONF, ordinary: 15 })).toMatchObject({
      value: 1,
      because: 'the host has no CPU, memory or disk left for them',
    })
    expect(strandedIn({ api: K40C_CONF, flavors: [] })).toMatchObject({
      value: 1,
      because: 'no flavor requests them',
    })
  })

  it('is not judged while the alias is not known', () => {
    expect(strandedIn({}).value).toBeNull()
  })
})
