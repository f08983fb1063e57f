import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { vendorTypeNumber } from '@/simulator/host-tree/render-slicing'
import { emptyTrigger } from '@/simulator/host-tree/tree'
import { updateHostTree } from '@/simulator/host-tree/update-host-tree'
import { replaceEntry } from '@/simulator/host-tree/write-host-tree'
import { overrideDriver, probeDevice, unbindDevice } from './change-drivers'
import { makeMdev, removeMdev, setVendorType, undefineMdev } from './change-vgpus'
import { gpuOfSlot } from './host-lookup'
import { done, type HostOutcome, refused } from './host-outcome'
import { readNovaConfig } from './read-nova-config'
import { type HostWrite, readWrites } from './read-writes'
import { runSriovManage } from './run-sriov-manage'
import { startedNova } from './start-nova'

/** A host whose tree on disk follows its state, and whose state follows what is written into the tree. */
export type LivingHost = {
  readonly name: string
  readonly root: string
  spec: () => HostSpec
  /** Takes a new state and brings the tree to it. */
  become: (next: HostSpec) => void
  /** Takes the outcome of a change; a refusal goes into the kernel's log. True when it was done. */
  attempt: (outcome: HostOutcome) => boolean
  /** Performs what was written into the tree, as kernel and driver would. Returns how many writes there were. */
  applyWrites: () => number
  /** nova-compute ends and starts again with the current nova.conf; whether it runs is in `nova.process`. */
  restartNova: () => void
  /** Called after each start of nova-compute, also after one that failed. */
  onNovaStart: (listener: () => void) => void
}

type KernelWrite = Exclude<HostWrite, { kind: 'nova-files' } | { kind: 'nova-restart' }>

const KERNEL_LOG = '/.sliceboard/kernel.log'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const performed = (spec: HostSpec, write: KernelWrite, newUuid: () => string): HostOutcome => {
  switch (write.kind) {
    case 'create':
      if (!UUID.test(write.text)) return refused('EINVAL', `"${write.text.slice(0, 80)}" is no uuid`)
      return makeMdev(spec, { slot: write.slot, typeId: write.typeId, uuid: write.text.toLowerCase() })
    case 'remove':
      // The kernel reads an integer; 0 leaves the mdev alone (drivers/vfio/mdev/mdev_sysfs.c).
      if (!/^\d+$/.test(write.text)) return refused('EINVAL', `"${write.text.slice(0, 80)}" is no number`)
      return Number(write.text) === 0 ? done(spec) : removeMdev(spec, write.uuid)
    case 'vendor-type':
      if (!/^\d+$/.test(write.text)) return refused('EINVAL', `"${write.text.slice(0, 80)}" is no type id`)
      return setVendorType(spec, { slot: write.slot, typeNumber: write.text, uuid: newUuid() })
    case 'driver-override':
      return done(overrideDriver(spec, write))
    case 'unbind':
      return unbindDevice(spec, { driver: write.driver, address: write.text })
    case 'probe':
      return probeDevice(spec, write.text)
    case 'sriov':
      return runSriovManage(spec, write.text)
    case 'undefined':
      return done(undefineMdev(spec, write.uuid))
    case 'defined':
      return done({ ...spec, mdevDefinitions: [...spec.mdevDefinitions, write.definition] })
  }
}

/** What the file holds once the write has been dealt with and the mdev, where it was one, is still there. */
const settledContent = (
  spec: HostSpec,
  write: KernelWrite,
): { at: string; content: string; mode: number } | null => {
  if (write.kind === 'undefined' || write.kind === 'defined') return null
  if (write.kind === 'driver-override') {
    const override = [...spec.gpus, ...spec.otherDevices].find(
      ({ address }) => address === write.address,
    )?.driverOverride
    return { at: write.at, content: `${override ?? '(null)'}\n`, mode: 0o644 }
  }
  if (write.kind !== 'vendor-type') return { at: write.at, ...emptyTrigger() }
  const vgpu = gpuOfSlot(spec, write.slot)?.slicing.state.vgpus.find(({ slot }) => slot === write.slot)
  return { at: write.at, content: `${vgpu ? vendorTypeNumber(vgpu.typeId) : 0}\n`, mode: 0o644 }
}

/** Takes over a tree that `writeHostTree` or `reconcileHostTree` has brought to `spec`. */
export const createLivingHost = (options: {
  root: string
  spec: HostSpec
  now: () => Date
  newUuid: () => string
}): LivingHost => {
  const { root } = options
  let current = options.spec
  let listener = (): void => undefined

  const log = (errno: string, reason: string): void => {
    const file = path.join(root, KERNEL_LOG)
    mkdirSync(path.dirname(file), { recursive: true })
    appendFileSync(file, `${options.now().toISOString()} ${errno}: ${reason}\n`)
  }

  const become = (next: HostSpec): void => {
    if (next === current) return
    const before = current
    current = next
    updateHostTree(root, before, next)
  }

  const attempt = (outcome: HostOutcome): boolean => {
    if (outcome.isDone) become(outcome.spec)
    else log(outcome.errno, outcome.reason)
    return outcome.isDone
  }

  const restartNova = (): void => {
    become(startedNova(current, readNovaConfig(root), options.now().getTime()))
    listener()
  }

  const apply = (write: HostWrite): void => {
    if (write.kind === 'nova-files') {
      // They stand in the tree already.
      current = { ...current, nova: { ...current.nova, files: write.files } }
    } else if (write.kind === 'nova-restart') {
      replaceEntry(root, write.at, emptyTrigger())
      restartNova()
    } else applyKernelWrite(write)
  }

  const applyKernelWrite = (write: KernelWrite): void => {
    const outcome = performed(current, write, options.newUuid)
    // A write that took its own file along, as `remove`, needs nothing settled.
    const isGone = write.kind === 'remove' && outcome.isDone && outcome.spec !== current
    attempt(outcome)
    const settled = isGone ? null : settledContent(current, write)
    if (settled !== null) replaceEntry(root, settled.at, { kind: 'file', ...settled })
  }

  return {
    name: options.spec.name,
    root,
    spec: () => current,
    become,
    attempt,
    applyWrites: () => {
      const writes = readWrites(root, current)
      for (const write of writes) apply(write)
      return writes.length
    },
    restartNova,
    onNovaStart: (next) => {
      listener = next
    },
  }
}
