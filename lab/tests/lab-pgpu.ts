import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DROP_IN_FILE } from '@/lib/schemas/agent/drop-in'
import { novaConfOf, treeOf } from './lab-cloud'
import { type Operator, waitUntil } from './operator'
import { restartCompute } from './restart-compute'
import { dropSpareMdevs } from './spare-mdevs'

/** The T4 of gpu02 that these tests give other types: four T4-4Q as the lab begins. */
export const HOST = 'gpu02'
export const ADDRESS = '0000:84:00.0'
const PROVIDER = 'gpu02_pci_0000_84_00_0'
export const T4_4Q = { typeId: 'nvidia-232', trait: 'CUSTOM_GRID_T4_4Q', flavor: 'vgpu.t4-4q', total: 4 }
export const T4_8Q = { typeId: 'nvidia-233', trait: 'CUSTOM_GRID_T4_8Q', flavor: 'vgpu.t4-8q', total: 2 }

const COMPUTE_CONF = novaConfOf(HOST)
const FOLDER = path.join(treeOf(HOST), 'etc/nova/nova.conf.d')
const EARLY = path.join(FOLDER, '50-vgpu.conf')
export const DROP_IN = path.join(FOLDER, DROP_IN_FILE)

/** One pGPU of the lab, as Placement, Nova and its host's nova.conf have it. */
export const openLabPgpu = (operator: Operator) => {
  const original = readFileSync(COMPUTE_CONF, 'utf8')

  const restart = () => restartCompute(operator, HOST)

  /** Classes with their totals, and custom traits; null: Placement has no such provider. */
  const offered = async () => {
    const found = await operator.offered(PROVIDER)
    return found === null ? null : { totals: found.totals, traits: found.traits }
  }

  const totalBecomes = (total: number) =>
    waitUntil(`a total of ${total} of ${PROVIDER} in Placement`, async () =>
      ((await offered())?.totals.VGPU ?? 0) === total ? true : null,
    )

  const service = async () => {
    const found = (await operator.nova.listServices()).find(({ host }) => host === HOST)
    if (found === undefined) throw new Error(`Nova has no nova-compute of ${HOST}.`)
    return found
  }

  const tagOnly = (trait: string) =>
    waitUntil(`${PROVIDER} with the trait ${trait} alone`, async () => {
      const provider = await operator.providerNamed(PROVIDER)
      if (provider === null) throw new Error(`Placement has no ${PROVIDER}.`)
      return operator.putTraits(provider.uuid, (traits) => [
        ...traits.filter((name) => !name.startsWith('CUSTOM_')),
        trait,
      ])
    })

  return {
    restart,
    offered,
    totalBecomes,
    service,
    tagOnly,
    /** As with an editor; nova-compute keeps what it read at its start. */
    configure: (typeId: string) => writeFileSync(COMPUTE_CONF, original.replaceAll(T4_4Q.typeId, typeId)),
    /** The same options in a file that is read before a drop-in: what the plan advises. */
    moveOptions: () => {
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(EARLY, original)
      writeFileSync(COMPUTE_CONF, '')
    },
    /** Undoes what a test left: the lab as it was, for the files after it. */
    repair: async (servers: readonly string[]) => {
      for (const name of servers) await operator.deleteServer(name)
      for (const host of ['gpu01', HOST]) await dropSpareMdevs(host)
      const isAsBegun =
        !existsSync(DROP_IN) && (existsSync(EARLY) || readFileSync(COMPUTE_CONF, 'utf8') === original)
      for (const file of [DROP_IN, EARLY]) rmSync(file, { force: true })
      writeFileSync(COMPUTE_CONF, original)
      const { id, status } = await service()
      if (status === 'disabled') await operator.nova.enableService(id)
      if (!isAsBegun || (await offered())?.totals.VGPU !== T4_4Q.total) await restart()
      await totalBecomes(T4_4Q.total)
      await tagOnly(T4_4Q.trait)
    },
  }
}
