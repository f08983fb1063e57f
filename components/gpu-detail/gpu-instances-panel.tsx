import { OccupantName } from '@/components/gpu/occupant-name'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { listText } from '@/lib/domain/wording'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { formatNoun } from '@/lib/util/format'

type Layout = NonNullable<GpuDetail['mig']>
type Group = Layout['groups'][number]

const VgpuLine = ({ vgpu }: { vgpu: Group['vgpus'][number] }) => (
  <div className="whitespace-nowrap">
    {vgpu.occupant === null ? vgpu.kind : <OccupantName occupant={vgpu.occupant} />}{' '}
    <span className="text-ink3 text-small">
      {vgpu.typeName} <span className="font-mono">{vgpu.address}</span>
    </span>
  </div>
)

const GroupRow = ({ group: { ids, profile, vgpus, fits } }: { group: Group }) => (
  <Tr>
    <Td className="font-mono">{ids.join(', ')}</Td>
    <Td className="whitespace-nowrap font-mono">{profile}</Td>
    <Td>
      {vgpus.length === 0 ? (
        <span className="text-ink3">no vGPU</span>
      ) : (
        vgpus.map((vgpu) => <VgpuLine key={`${vgpu.address} ${vgpu.mdevUuid}`} vgpu={vgpu} />)
      )}
    </Td>
    <Td className="min-w-32 text-small">
      {fits === null || fits.length === 0 ? (
        <span className="text-ink3">{fits === null ? 'unknown' : 'none'}</span>
      ) : (
        listText(
          fits.map(({ shortName, count }) => `${count} × ${shortName}`),
          fits.length,
        )
      )}
    </Td>
  </Tr>
)

const Instances = ({ layout: { groups, unplacedVgpus } }: { layout: Layout }) => (
  <>
    {groups.some(({ ids }) => ids.length > 1) ? (
      <p className="mb-2 text-ink2 text-small">
        The driver does not report which instance a vGPU uses. Instances with the same profile share a row.
      </p>
    ) : null}
    {unplacedVgpus === 0 ? null : (
      <p className="mb-2 text-ink2 text-small">
        The profile of {formatNoun(unplacedVgpus, 'vGPU')} is unknown, so the free capacity is unknown, too.
      </p>
    )}
    <SideScroll className="-mb-3">
      <Table>
        <thead>
          <tr>
            <Th>Instance</Th>
            <Th>Profile</Th>
            <Th>vGPUs</Th>
            <Th>Free capacity (one type)</Th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <GroupRow key={group.ids.join()} group={group} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </>
)

/** The GPU instances of a card in MIG mode, the vGPUs in them, and what still fits. */
export const GpuInstancesPanel = ({ gpu: { mig, isMigBacked } }: { gpu: GpuDetail }) => {
  if (!isMigBacked) return null
  const count = mig?.groups.reduce((sum, { ids }) => sum + ids.length, 0) ?? 0
  return (
    <Panel title="GPU instances" note={count === 0 ? undefined : count}>
      {mig === null ? (
        <p className="text-ink2">Unknown: nvidia-smi did not list the GPU instances of this card.</p>
      ) : count === 0 ? (
        <p className="text-ink2">MIG mode is on, and no GPU instance exists. vGPUs need one.</p>
      ) : (
        <Instances layout={mig} />
      )}
    </Panel>
  )
}
