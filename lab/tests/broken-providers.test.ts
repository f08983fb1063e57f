import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Finding } from '@/lib/domain/findings/finding'
import { fromRelease } from './break'
import { expectAllRepaired, type Fault, runInShell } from './expect-repaired'
import { labFile } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { openOperator, waitUntil } from './operator'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const T4_OF_GPU02 = 'gpu02_pci_0000_84_00_0'
const ONE = { total: 1, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1, allocationRatio: 1 }

const uuidOf = async (name: string): Promise<string> =>
  (await operator.providerNamed(name))?.uuid ?? Promise.reject(new Error(`Placement has no ${name}.`))

/** Sets the traits of a provider until Placement takes them: nova-compute may write at the same time. */
const changeTraits = async (name: string, change: (traits: readonly string[]) => string[]) => {
  const uuid = await uuidOf(name)
  await waitUntil(`the traits of ${name}`, () => operator.putTraits(uuid, change))
}

/** A fault that ends with its cause: the finding suggests nothing that repairs it. */
const fault = (
  about: Pick<Fault, 'code' | 'sourceToCorrect' | 'about'>,
  { make, check }: { make: () => Promise<() => Promise<unknown>>; check?: (finding: Finding) => unknown },
): Fault => {
  let remove: (() => Promise<unknown>) | null = null
  const tidy = async () => {
    await remove?.()
    remove = null
  }
  return {
    ...about,
    break: async () => {
      remove = await make()
      return tidy
    },
    follow: async (finding) => {
      await check?.(finding)
      await tidy()
    },
  }
}

const OWNER = 'OWNER_NOVA'
const owned = fromRelease('2026.2', 'Nova sets OWNER_NOVA from 34 on')
const WITHOUT_OWNER = {
  code: 'provider-without-owner',
  sourceToCorrect: 'placement',
  about: `no ${OWNER} on gpu02`,
}

const addFlavor = async (name: string, specs: Record<string, string>) => {
  await operator.createFlavor({ name, vcpus: 1, ram: 1024, disk: 5 }, specs)
  return () => operator.deleteFlavor(name)
}

const addProvider = async (name: string, host: string, inventories = {}) => {
  const { placement } = operator
  const parentUuid = await uuidOf(host)
  const { uuid, generation } = await placement.createProvider({ uuid: randomUUID(), name, parentUuid })
  await placement.putInventories(uuid, { generation, inventories })
  return () => placement.deleteProvider(uuid)
}

it('providers and flavors are found with amounts, owners and requests that Nova does not expect', async () => {
  await expectAllRepaired(operator, [
    fault(
      { code: 'devices-of-cyborg', sourceToCorrect: null, about: 'gpu01_fpga' },
      {
        make: async () => {
          const remove = await addProvider('gpu01_fpga', 'gpu01')
          await changeTraits('gpu01_fpga', () => ['OWNER_CYBORG'])
          return remove
        },
      },
    ),
    fault(
      { code: 'flavor-needs-filter', sourceToCorrect: null, about: 'NUMATopologyFilter (for wrong.numa)' },
      {
        make: () =>
          addFlavor('wrong.numa', {
            'resources:VGPU': '1',
            'trait:CUSTOM_GRID_T4_4Q': 'required',
            'hw:numa_nodes': '1',
          }),
        check: async ({ command }) => {
          const here = String(command).replace('/etc/nova/nova.conf', labFile('etc/nova/nova.conf'))
          expect(await runInShell(here, '')).not.toContain('NUMATopologyFilter')
        },
      },
    ),
    fault(
      { code: 'wide-provider-tree', sourceToCorrect: null, about: 'wrong.wide requests 5 devices' },
      {
        make: async () => {
          const vfs = ['01_0', '01_1', '01_2', '01_3'].map((vf) =>
            addProvider(`gpu02_pci_0000_41_${vf}`, 'gpu02', { VGPU: ONE }),
          )
          const all = [await addFlavor('wrong.wide', { 'resources:VGPU': '5' }), ...(await Promise.all(vfs))]
          return () => Promise.all(all.map((remove) => remove()))
        },
      },
    ),
    owned.isSkipped
      ? fault(WITHOUT_OWNER, {
          make: async () => {
            await changeTraits('gpu01', (traits) => [...traits, OWNER])
            return () => changeTraits('gpu01', (traits) => traits.filter((trait) => trait !== OWNER))
          },
          // A restart of this release sets no trait.
          check: ({ command }) => expect(command).toBeNull(),
        })
      : {
          ...WITHOUT_OWNER,
          break: () => changeTraits('gpu02', (traits) => traits.filter((trait) => trait !== OWNER)),
        },
    {
      code: 'inventory-reserved',
      sourceToCorrect: 'placement',
      about: 'Placement reserves 2 of 4 VGPU',
      // Last, because nova-compute writes 0 every 20 seconds.
      break: async () => {
        const uuid = await uuidOf(T4_OF_GPU02)
        const { generation, inventories } = await operator.placement.getInventories(uuid)
        const { VGPU } = inventories
        if (VGPU === undefined) throw new Error(`${T4_OF_GPU02} has no VGPU.`)
        await operator.placement.putInventories(uuid, {
          generation,
          inventories: { VGPU: { ...VGPU, reserved: 2 } },
        })
      },
    },
  ])
})

it('leaves nothing of all that behind', becomesCalm)
