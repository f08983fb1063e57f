import type { HostSpec } from '@/simulator/host-tree/host-spec'

/** What was written in a host's tree, for the fake libvirt (`lab/compute/tree_writes.py`). */
export type TreeWrite =
  | { kind: 'removed' | 'undefined'; uuid: string }
  | { kind: 'created'; uuid: string; slot: string; typeId: string }
  | { kind: 'defined'; uuid: string; slot: string; typeId: string; isAuto: boolean }

/** VFs of vendor VFIO get their types without libvirt. */
const vgpusOf = (spec: HostSpec) =>
  spec.gpus.flatMap(({ slicing }) => (slicing?.interface === 'mdev' ? slicing.state.vgpus : []))

/** The difference that the kernel's rules allowed. */
export const listTreeWrites = (before: HostSpec, after: HostSpec): TreeWrite[] => {
  const had = new Set(vgpusOf(before).map(({ uuid }) => uuid))
  const has = new Set(vgpusOf(after).map(({ uuid }) => uuid))
  const defined = new Set(after.mdevDefinitions.map(({ uuid }) => uuid))
  const wasDefined = new Set(before.mdevDefinitions.map(({ uuid }) => uuid))
  return [
    ...[...had].filter((uuid) => !has.has(uuid)).map((uuid) => ({ kind: 'removed' as const, uuid })),
    ...before.mdevDefinitions
      .filter(({ uuid }) => !defined.has(uuid))
      .map(({ uuid }) => ({ kind: 'undefined' as const, uuid })),
    ...vgpusOf(after)
      .filter(({ uuid }) => !had.has(uuid))
      .map(({ uuid, slot, typeId }) => ({ kind: 'created' as const, uuid, slot, typeId })),
    ...after.mdevDefinitions
      .filter(({ uuid }) => !wasDefined.has(uuid))
      .map(({ uuid, parent, typeId, start }) => ({
        kind: 'defined' as const,
        uuid,
        slot: parent,
        typeId,
        isAuto: start === 'auto',
      })),
  ]
}
