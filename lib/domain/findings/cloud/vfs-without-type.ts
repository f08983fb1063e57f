import type { JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { sourceOfUntypedVfs } from '@/lib/domain/cloud/source-to-correct'
import { freeForVfs, typeForVfs, type VfPromise, vfPromiseOf } from '@/lib/domain/cloud/vf-promise'
import type { FindingCommand } from '@/lib/domain/findings/finding'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, type Detected, hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'vfs-without-type'

const countText = (count: number): string =>
  count === 0 ? 'none has' : `only ${count} ${count === 1 ? 'has' : 'have'}`

const promiseText = ({ by, promised, typed }: VfPromise): string =>
  `${by === 'placement' ? 'Placement offers' : 'device_spec assigns'} ${formatNoun(promised, 'VF')}, but ${countText(typed.length)} a vGPU type`

const typeOnes = (vfs: VfPromise['untyped'], type: SupportedType): Encoded<'shell'> => {
  const number = shellWord(type.typeId.split('-').at(-1) ?? '')
  const write = (vf: Encoded<'shell'>): Encoded<'shell'> =>
    sh`echo ${number} > /sys/bus/pci/devices/${vf}/nvidia/current_vgpu_type`
  const [first] = vfs
  return vfs.length === 1 && first !== undefined
    ? write(shellWord(first.address))
    : sh`for vf in ${shellArguments(vfs.map(({ address }) => address))}; do ${write(sh`"$vf"`)}; done`
}

const AT_BOOT = 'The type is lost at a reboot, so set it at every boot.'

/** Types for as many VFs as the card still takes; the others must not be advertised. */
const wayOut = (
  entry: JoinedPgpu,
  promise: VfPromise,
): { nextStep: string; command: FindingCommand | null } => {
  const { untyped } = promise
  const type = typeForVfs(entry, promise)
  const free = freeForVfs(entry, promise)
  const name = type?.shortName ?? 'the type'
  const takeOut = `remove ${formatNoun(untyped.length - free, 'VF')} from [pci] device_spec and restart nova-compute`
  if (free === 0)
    return {
      nextStep: `No more vGPUs of ${name} fit on the card: ${takeOut}.`,
      command: null,
    }
  const rest = free < untyped.length ? ` No more fit: ${takeOut}.` : ''
  return {
    nextStep: `Use “Change type” to set ${type === null ? 'their vGPU type' : name} on ${formatNoun(free, 'VF')}.${rest} ${AT_BOOT}`,
    command: type === null ? null : typeOnes(untyped.slice(0, free), type),
  }
}

/**
 * VFs of vendor VFIO that `device_spec` offers for passthrough and that have no vGPU type: a server that gets one does
 * not start.
 */
export const vfsWithoutType: JoinedHostDetector = {
  code: CODE,
  title: 'VFs are assigned without a vGPU type',
  reference: {
    severities: ['warning'],
    sources: ['hardware', 'nova.conf'],
    detection: 'nova.conf, sysfs and Placement: a VF that device_spec assigns has no vGPU type.',
    consequence: 'A server that gets the VF does not start.',
    nextStep:
      'Set the vGPU type of the VF, also at boot. If no more vGPUs fit, remove the VF from device_spec.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap((entry): Detected[] => {
      const promise = vfPromiseOf(joined, entry)
      if (promise === null) return []
      const { untyped, unread, typed } = promise
      const subject = { kind: 'pgpu' as const, host: joined.host.name, address: entry.pgpu.address }
      const [first] = untyped
      if (first === undefined)
        return unread[0] === undefined
          ? []
          : [
              {
                code: CODE,
                scope: subject,
                because: `the vGPU type of ${unread[0].address} could not be read`,
              },
            ]
      const sources = [...new Set([...typed, ...untyped, ...unread].map(({ spec }) => spec.source))]
      return [
        makeFinding({
          code: CODE,
          severity: 'warning',
          subject,
          sentence: promiseText(promise),
          consequence: `A server that gets ${untyped.length === 1 ? first.address : `one of the ${untyped.length} VFs without a type`} does not start: Nova does not set the type of a VF.`,
          ...wayOut(entry, promise),
          sourceToCorrect: sourceOfUntypedVfs(entry, promise),
          evidence: [
            ...(promise.by === 'placement'
              ? [cloudReports(fleet, 'providers', `${formatNoun(promise.promised, 'VF')} of it`)]
              : []),
            hostReports(
              joined,
              'nova.conf',
              `device_spec assigns ${typed.length + untyped.length + unread.length}: ${listText(sources)}`,
            ),
            hostReports(
              joined,
              'hardware',
              `current_vgpu_type is 0 on ${listText(untyped.map(({ address }) => address))}`,
            ),
          ],
        }),
      ]
    }),
}
