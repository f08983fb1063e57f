import type { JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { traitsNaming } from '@/lib/domain/cloud/type-traits'
import { type VfPromise, vfPromiseOf } from '@/lib/domain/cloud/vf-promise'
import { pciClassText } from '@/lib/domain/nova-config/alias-takes'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import { listText, plural } from '@/lib/domain/wording'
import { cloudSaid, type Detected, type HostDetector, hostSaid, makeFinding } from './detector'

const CODE = 'vfs-without-type'

/** What the VFs are to carry: the type of the card's others, else the one after which their resource class is named. */
const wantedType = ({ pgpu }: JoinedPgpu, { untyped }: VfPromise): SupportedType | null => {
  const types = pgpu.supportedTypes ?? []
  const current = types.find(({ typeId }) => typeId === pgpu.currentType?.typeId)
  const written = untyped[0]?.spec.resource_class
  if (current !== undefined || written === undefined) return current ?? null
  return types.find((type) => traitsNaming(type).has(pciClassText(written))) ?? null
}

const countText = (count: number): string =>
  count === 0 ? 'none has' : `only ${count} ${count === 1 ? 'has' : 'have'}`

const promiseText = ({ by, promised, typed }: VfPromise): string =>
  `${by === 'placement' ? 'Placement promises' : 'device_spec hands out'} ${plural(promised, 'VF', 'VFs')} and ${countText(typed.length)} a vGPU type`

const typeOnes = (vfs: VfPromise['untyped'], type: SupportedType): string => {
  const number = type.typeId.split('-').at(-1)
  const write = (vf: string): string => `echo ${number} > /sys/bus/pci/devices/${vf}/nvidia/current_vgpu_type`
  const [first] = vfs
  return vfs.length === 1 && first !== undefined
    ? write(first.address)
    : `for vf in ${vfs.map(({ address }) => address).join(' ')}; do ${write('$vf')}; done`
}

const AT_BOOT = 'A type is gone after a reboot, so have it set at boot too.'

/** Types for as many as the card still takes; the rest is promised in vain. */
const wayOut = ({ untyped }: VfPromise, type: SupportedType | null) => {
  const room = Math.min(untyped.length, type?.creatable ?? untyped.length)
  const name = type?.shortName ?? 'the type'
  const takeOut = `take ${plural(untyped.length - room, 'VF', 'VFs')} out of [pci] device_spec and restart nova-compute`
  if (room === 0)
    return {
      nextStep: `The card takes no more ${name}: ${takeOut}.`,
      command: null,
      blame: 'nova.conf' as const,
    }
  const rest = room < untyped.length ? ` No more fit: ${takeOut}.` : ''
  return {
    nextStep: `Give ${plural(room, 'VF', 'VFs')} ${type === null ? 'their vGPU type' : name}: “Change type” plans it VF by VF.${rest} ${AT_BOOT}`,
    command: type === null ? null : typeOnes(untyped.slice(0, room), type),
    blame: 'hardware' as const,
  }
}

/** VFs of vendor VFIO that `device_spec` hands out and that have no vGPU type: whoever gets one does not start. */
export const vfsWithoutType: HostDetector = {
  code: CODE,
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
          consequence: `A server that gets ${untyped.length === 1 ? first.address : `one of the ${untyped.length} VFs without a type`} does not start: Nova hands VFs out as they are.`,
          ...wayOut(promise, wantedType(entry, promise)),
          evidence: [
            ...(promise.by === 'placement'
              ? [cloudSaid(fleet, 'providers', `${plural(promise.promised, 'VF', 'VFs')} of it`)]
              : []),
            hostSaid(
              joined,
              'nova.conf',
              `device_spec hands out ${typed.length + untyped.length + unread.length}: ${listText(sources)}`,
            ),
            hostSaid(
              joined,
              'hardware',
              `current_vgpu_type is 0 on ${listText(untyped.map(({ address }) => address))}`,
            ),
          ],
        }),
      ]
    }),
}
