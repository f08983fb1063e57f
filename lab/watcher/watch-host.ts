import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createLivingHost, type LivingHost } from '@/simulator/host/living-host'
import type { HostSpec, NovaProcessSpec } from '@/simulator/host-tree/host-spec'
import { reconcileHostTree } from '@/simulator/host-tree/reconcile-host-tree'
import { describeHardware } from './build-cards'
import { parseLabHost } from './host-file'
import { EMPTY_HYPERVISOR, parseHypervisor } from './hypervisor-file'
import { readNovaProcess } from './nova-process'
import type { LabRelease } from './releases'
import { type LabHostFacts, toHostSpec } from './to-host-spec'
import { listTreeWrites, type TreeWrite } from './tree-writes'

const readIfThere = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** A reader sees the old or the new file, never half. */
const writeWhole = (file: string, value: unknown): void => {
  writeFileSync(`${file}.new`, JSON.stringify(value, null, 1))
  renameSync(`${file}.new`, file)
}

const readNovaFiles = (root: string): LabHostFacts['novaFiles'] =>
  readdirSync(path.join(root, 'etc/nova'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ path: `/${path.relative(root, file)}`, text: readFileSync(file, 'utf8') }))

/** The types that were written into VFs of vendor VFIO: neither host.json nor libvirt has them. */
const withVfTypes = (gpus: HostSpec['gpus'], known: HostSpec['gpus']): HostSpec['gpus'] =>
  gpus.map((gpu) => {
    const same = known.find(({ address }) => address === gpu.address)?.slicing
    return same?.interface === 'vendor-vfio' ? { ...gpu, slicing: same } : gpu
  })

/**
 * Holds a lab host's directory tree to its `host.json` and the fake libvirt's `hypervisor.json`, and hands what is done in
 * the tree on to the fake libvirt. `look` does both once.
 */
export const watchHost = (options: {
  folder: string
  release: LabRelease
  novaVersion: string
  /** The host's real nova-compute; null: nothing is shown of its process. */
  nova: { pidFile: string; restartScript: string } | null
  log: (line: string) => void
}): { look: () => void } => {
  const { folder, nova } = options
  const root = path.join(folder, 'tree')
  const inbox = path.join(folder, 'tree-writes')
  mkdirSync(inbox, { recursive: true })
  const novaFiles = readNovaFiles(root)
  let seen: { host: string; hypervisor: string | null; process: NovaProcessSpec | null } | null = null
  let living: LivingHost | null = null
  let count = 0

  const handOn = (write: TreeWrite): void => {
    count += 1
    writeWhole(path.join(inbox, `${Date.now()}-${String(count).padStart(6, '0')}.json`), write)
  }

  const follow = (): void => {
    const host = readFileSync(path.join(folder, 'host.json'), 'utf8')
    const hypervisor = readIfThere(path.join(folder, 'hypervisor.json'))
    const novaProcess = nova === null ? null : readNovaProcess(nova.pidFile, seen?.process ?? null)
    if (seen?.host === host && seen.hypervisor === hypervisor && seen.process === novaProcess) return
    const isNewHardware = seen?.host !== host
    seen = { host, hypervisor, process: novaProcess }
    const labHost = parseLabHost(host)
    const given = toHostSpec({
      name: path.basename(folder),
      release: options.release,
      novaVersion: options.novaVersion,
      host: labHost,
      hypervisor: hypervisor === null ? EMPTY_HYPERVISOR : parseHypervisor(hypervisor),
      novaFiles,
      restartScript: nova?.restartScript ?? null,
    })
    const gpus = living === null || isNewHardware ? given.gpus : withVfTypes(given.gpus, living.spec().gpus)
    const spec = { ...given, gpus, nova: { ...(living?.spec().nova ?? given.nova), process: novaProcess } }
    if (living === null) {
      reconcileHostTree(root, spec)
      living = createLivingHost({ root, spec, now: () => new Date(), newUuid: randomUUID })
    } else living.become(spec)
    if (isNewHardware) writeWhole(path.join(folder, 'hardware.json'), describeHardware(labHost))
  }

  return {
    look: () => {
      try {
        if (living !== null) {
          const before = living.spec()
          if (living.applyWrites() > 0)
            for (const write of listTreeWrites(before, living.spec())) handOn(write)
        }
        // While the fake libvirt has not yet taken a write, its state is the older one.
        if (readdirSync(inbox).length === 0) follow()
      } catch (error) {
        options.log(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
