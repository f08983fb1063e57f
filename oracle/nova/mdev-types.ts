import { type ExpectedParent, expectedParents, expectedTotal } from '@/lib/domain/cloud/expected-providers'
import { describeHost } from '@/lib/domain/host/describe-host'
import { droppedParents } from '@/lib/domain/host-findings/offered'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { readNovaView } from '@/lib/domain/nova-config/nova-view'
import { STOPS_NOVA } from '@/lib/domain/plans/host-steps/refuse'
import { buildInventory, buildMdev, type CardSpec } from '@/lib/domain/testing/build-inventory'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { parseOsloConfig } from '@/lib/schemas/agent/oslo-config'
import type { MdevHost, MdevParent } from './mdev-hosts'

/** Null: nova-compute does not start. */
export type MdevResult = {
  /** Of each parent; null: it has no type. */
  types: Record<string, readonly [typeId: string, resourceClass: string] | null>
  /** Of each parent with a provider in Placement. */
  inventories: Record<string, readonly [resourceClass: string, total: number]>
} | null

const FILE = '/etc/nova/nova.conf'

/** Null: oslo.config refuses the file. */
const readConfig = (text: string): NovaConfig | null => {
  const { options, errors } = parseOsloConfig(text)
  if (errors.length > 0) return null
  return {
    deployment: 'package',
    files: [FILE],
    options: options.map((option) => ({ ...option, file: FILE })),
  }
}

const offersOf = ({ offers }: MdevParent) =>
  offers.map(([typeId, available]) => ({ typeId, name: 'GRID T4-4Q', description: null, available }))

const SRIOV_CARD = '0000:c8:00.0'

const cardsOf = (parents: readonly MdevParent[]): CardSpec[] => {
  const isVf = ({ address }: MdevParent) => address.startsWith('0000:c8:')
  const functions = parents.filter(isVf)
  return [
    ...parents
      .filter((parent) => !isVf(parent))
      .map((parent) => ({ address: parent.address, offers: offersOf(parent) })),
    {
      address: SRIOV_CARD,
      functions: functions.map((parent) => ({ address: parent.address, offers: offersOf(parent) })),
    },
  ]
}

type Started = { parents: ReadonlyMap<string, readonly ExpectedParent[]> }

/** By the pGPU's address its parents with a type; null: nova-compute does not start. */
const start = ({ text, parents, mdevs }: MdevHost, range: NovaRange): Started | null => {
  const novaConfig = readConfig(text)
  if (novaConfig === null) return null
  const inventory = buildInventory({
    cards: cardsOf(parents),
    mdevs: mdevs.map((mdev) => buildMdev(mdev)),
    novaConfig,
  })
  const { findings, pgpus } = describeHost(inventory, { range })
  if (findings.some(({ code }) => STOPS_NOVA.includes(code))) return null
  const host = { host: { inventory }, nova: readNovaView(inventory, range) }
  return { parents: new Map(pgpus.map(({ address }) => [address, expectedParents(host, address) ?? []])) }
}

const typesOf = ({ parents }: Started, host: MdevHost) => {
  const found = [...parents.values()].flat()
  return Object.fromEntries(
    host.parents.map(({ address }) => {
      const parent = found.find((one) => one.address === address)
      // A blank item of enabled_mdev_types is a type to Nova, but no driver offers it.
      return [
        address,
        parent === undefined || parent.typeId === ''
          ? null
          : ([parent.typeId, parent.resourceClass] as const),
      ]
    }),
  )
}

const countedTotal = ({ made, available }: ExpectedParent): number => made + (available ?? 0)

const inventoriesOf = (started: Started) => {
  const all = [...started.parents.values()].flat()
  const types = [...new Set(all.map(({ typeId }) => typeId))]
  const dropped = new Set(
    types.flatMap((typeId) => {
      const ofType = all.filter((parent) => parent.typeId === typeId)
      const limit = ofType[0]?.maxInstances ?? null
      return limit === null ? [] : droppedParents(ofType, limit)
    }),
  )
  const totals = all.filter((parent) => !dropped.has(parent) && countedTotal(parent) > 0)
  for (const [address, parents] of started.parents) {
    const sum = totals
      .filter((parent) => parents.includes(parent))
      .reduce((total, parent) => total + countedTotal(parent), 0)
    const { value, isBound } = expectedTotal(parents)
    if (value === null || (isBound ? sum > value : sum !== value))
      throw new Error(`expectedTotal of ${address} is ${value}, and its parents have ${sum}.`)
  }
  return Object.fromEntries(
    totals.map((parent) => [parent.address, [parent.resourceClass, countedTotal(parent)] as const]),
  )
}

export const ourMdevs = (host: MdevHost, range: NovaRange): MdevResult => {
  const started = start(host, range)
  return started === null ? null : { types: typesOf(started, host), inventories: inventoriesOf(started) }
}
