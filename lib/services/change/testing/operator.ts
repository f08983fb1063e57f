import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type PciLayout, pciText } from '@/lib/domain/cloud/pci-layout'
import type { HostLayout } from '@/lib/domain/plans/host-steps/host-layout'
import { layoutText } from '@/lib/domain/plans/host-steps/layout-text'
import { CPU_DROP_IN } from '@/lib/domain/plans/reservation/cpu-texts'
import type { PlannedStep } from '@/lib/domain/plans/types'
import { type ProviderTraits, providerConfigContent } from '@/lib/schemas/agent/provider-config'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { StepState } from '@/lib/schemas/states'
import { anyRow } from '@/lib/server/testing/any-row'
import { removeMdev, undefineMdev } from '@/simulator/host/change-vgpus'
import type { LivingHost } from '@/simulator/host/living-host'
import { runSriovManage } from '@/simulator/host/run-sriov-manage'
import { novaConfFiles } from '@/simulator/host-tree/render-nova-conf'
import { getChange } from '../get-change'
import type { ChangeWorld } from './change-world'

const COMPUTE_CONF = '/etc/nova/nova-compute.conf'
/** Long enough that a second start of nova-compute is another one. */
const PAUSE_MS = 30_000

type ProviderEntries = readonly ProviderTraits[] | null

type OpenStep = { body: PlannedStep; isUndo: boolean }

const OPEN = `
SELECT body, is_undo AS "isUndo" FROM change_step
WHERE change_id = $1 AND state = ANY ($2::text[]) ORDER BY position LIMIT 1`

const STUCK: readonly StepState[] = ['waiting', 'blocked']

/** The state of a change that does not end, for the message of a failing test. */
const statusText = ({ state, steps }: ChangeDetail): string =>
  [
    state,
    ...steps.map(
      (step) => `${step.state} ${step.isUndo ? 'undo ' : ''}${step.title}: ${step.note ?? step.answer ?? ''}`,
    ),
  ].join('\n')

/** A person who follows a change manually, and does on hosts what the current step waits for. */
export const createOperator = (world: ChangeWorld) => {
  const hostNamed = (name: string): LivingHost => {
    const host = world.openstack().world.hosts.find(({ living }) => living.name === name)
    if (host === undefined) throw new Error(`no host ${name}`)
    return host.living
  }

  /** In the file that names the types now, in place of its mdev options. */
  const writeConfig = (living: LivingHost, layout: HostLayout) => {
    const file = path.join(living.root, COMPUTE_CONF)
    const others = readFileSync(file, 'utf8')
      .split(/^(?=\[)/m)
      .filter((section) => !/^\[(devices|mdev_|vgpu_)/.test(section))
    writeFileSync(file, `${others.join('')}\n${layoutText(layout)}\n`)
    living.applyWrites()
  }

  /** Replaces the content of [pci], in the file that has it. */
  const writePci = (living: LivingHost, layout: PciLayout) => {
    const [first, ...others] = novaConfFiles(living.name, living.spec().nova).map(({ path: at }) => at)
    for (const at of [first, ...others].filter((file) => file !== undefined)) {
      const file = path.join(living.root, at)
      const left = readFileSync(file, 'utf8')
        .split(/^(?=\[)/m)
        .filter((section) => !section.startsWith('[pci]'))
      writeFileSync(file, `${left.join('')}${at === first ? `\n${pciText(layout)}\n` : ''}`)
    }
    living.applyWrites()
  }

  /** The console's own file is as good a place as any. */
  const writeCpus = (living: LivingHost, text: string | null) => {
    const file = path.join(living.root, '/etc/nova/nova.conf.d', CPU_DROP_IN)
    mkdirSync(path.dirname(file), { recursive: true })
    if (text === null) rmSync(file, { force: true })
    else writeFileSync(file, text)
    living.applyWrites()
  }

  const writeProviderConfig = (living: LivingHost, at: string, entries: ProviderEntries) => {
    const file = path.join(living.root, at)
    mkdirSync(path.dirname(file), { recursive: true })
    if (entries === null) rmSync(file, { force: true })
    else writeFileSync(file, providerConfigContent(entries))
    living.applyWrites()
  }

  const writeVfioType = (living: LivingHost, address: string, typeNumber: number) => {
    writeFileSync(
      path.join(living.root, `/sys/bus/pci/devices/${address}/nvidia/current_vgpu_type`),
      `${typeNumber}\n`,
    )
    living.applyWrites()
  }

  const bindDriver = (
    living: LivingHost,
    { address, from, to }: { address: string; from: string | null; to: string },
    isUndo: boolean,
  ) => {
    const [was, next] = isUndo ? [to, from] : [from, to]
    const write = (at: string, text: string): void => {
      writeFileSync(path.join(living.root, at), text)
      living.applyWrites()
    }
    write(`/sys/bus/pci/devices/${address}/driver_override`, `${next ?? ''}\n`)
    if (was !== null) write(`/sys/bus/pci/drivers/${was}/unbind`, `${address}\n`)
    if (next !== null) write('/sys/bus/pci/drivers_probe', `${address}\n`)
  }

  const switchVfs = (
    living: LivingHost,
    { address, isOn }: { address: string; isOn: boolean },
    isUndo: boolean,
  ) => living.attempt(runSriovManage(living.spec(), `${isOn === isUndo ? '-d' : '-e'} ${address}`))

  /** Takes every mdev off some pGPUs, with its definition. */
  const clear = (living: LivingHost, addresses: readonly string[]) => {
    const slots = living
      .spec()
      .gpus.filter(({ address }) => addresses.includes(address))
      .flatMap(({ slicing }) => slicing?.state.slots ?? [])
    for (const { uuid, parent } of living.spec().mdevDefinitions)
      if (slots.includes(parent)) living.become(undefineMdev(living.spec(), uuid))
    for (const { slicing } of living.spec().gpus)
      for (const { uuid, slot } of slicing?.state.vgpus ?? [])
        if (slots.includes(slot)) living.attempt(removeMdev(living.spec(), uuid))
  }

  const serve = ({ body: { task }, isUndo }: OpenStep): boolean => {
    if (!('host' in task)) return false
    const living = hostNamed(task.host)
    if (task.kind === 'write-config') writeConfig(living, isUndo ? task.before : task.after)
    else if (task.kind === 'write-pci-config') writePci(living, isUndo ? task.before : task.after)
    else if (task.kind === 'write-cpu-config') writeCpus(living, isUndo ? task.ownBefore : task.ownAfter)
    else if (task.kind === 'write-provider-config')
      writeProviderConfig(living, task.path, isUndo ? task.before : task.after)
    else if (task.kind === 'set-vfio-type') writeVfioType(living, task.address, isUndo ? task.from : task.to)
    else if (task.kind === 'bind-driver') bindDriver(living, task, isUndo)
    else if (task.kind === 'switch-vfs') switchVfs(living, task, isUndo)
    else if (task.kind === 'clear-spares' && isUndo) clear(living, task.addresses)
    else if (task.kind === 'restart-nova') living.restartNova()
    else if (task.kind === 'remove-mdev' && !isUndo) clear(living, [task.pgpuAddress])
    else if (task.kind === 'await-offer') clear(living, task.addresses)
    else if (task.kind === 'verify-pgpu' && isUndo) clear(living, [task.address])
    else return false
    return true
  }

  /** Runs a change until no one can advance it; resolves to whether it has ended. */
  const follow = async (id: number, input: Parameters<ChangeWorld['run']>[1] = {}): Promise<boolean> => {
    const { openstack } = world
    for (let round = 0; round < 60; round++) {
      if ((await world.run(id, input)) === 'over') return true
      const [step] = await world.ctx().database.query(OPEN, [id, [...STUCK]], anyRow<OpenStep>())
      if (step !== undefined) serve(step)
      openstack().world.advance(PAUSE_MS)
      openstack().controls.refresh()
      await world.readAgain()
    }
    return false
  }

  /** Follows a change to its expected final state; if it ends elsewhere, the test fails with its steps. */
  const toEnd = async (id: number, state: ChangeDetail['state']): Promise<ChangeDetail> => {
    await follow(id)
    const ended = await getChange(world.ctx(), { id })
    if (ended.state !== state) throw new Error(statusText(ended))
    return ended
  }

  return { follow, toEnd, hostNamed }
}
