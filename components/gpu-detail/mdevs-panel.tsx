import { PlanLink } from '@/components/change/plan-link'
import { OccupantName } from '@/components/gpu/occupant-name'
import { CopyableId } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { newOrphansPath } from '@/lib/util/paths'

type Mdev = NonNullable<GpuDetail['mdevs']>[number]

const tones: Record<Mdev['state'], 'quiet' | 'accent' | 'warn'> = {
  used: 'accent',
  spare: 'quiet',
  orphan: 'warn',
  returning: 'warn',
  defined: 'quiet',
  unknown: 'quiet',
}

/** Its persistence: only in the kernel, also in mdevctl's definitions, or recreated at boot. */
const persistence = ({ isActive, isDefined, isAutostart }: Mdev): string => {
  const life = isActive ? 'active' : 'inactive'
  if (isDefined === null) return `${life}, definitions not read`
  if (!isDefined) return `${life}, not defined`
  return `${life}, defined${isAutostart ? ', autostart' : ''}`
}

/** By who holds it, else by its state: `mdev of render-1`, `orphaned mdev`. */
const mdevName = ({ occupant, state }: Mdev): string =>
  occupant === null
    ? `${state === 'orphan' ? 'orphaned' : state} mdev`
    : `mdev of ${occupant.serverName ?? occupant.guestName}`

const MdevRow = ({ mdev, hasFunctions }: { mdev: Mdev; hasFunctions: boolean }) => (
  <Tr>
    <Td>
      <CopyableId id={mdev.uuid} label={`uuid of the ${mdevName(mdev)}`} name={mdevName(mdev)} />
    </Td>
    {hasFunctions ? <Td className="font-mono text-small">{mdev.parent}</Td> : null}
    <Td className="whitespace-nowrap">
      {mdev.typeName ?? mdev.typeId ?? <span className="text-ink3">no readable type</span>}
    </Td>
    <Td>
      <Tag tone={tones[mdev.state]}>{mdev.state}</Tag>
    </Td>
    <Td className="text-ink2 text-small">{persistence(mdev)}</Td>
    <Td>{mdev.occupant === null ? null : <OccupantName occupant={mdev.occupant} />}</Td>
  </Tr>
)

/** Every mdev of the card, also those that are only defined. */
export const MdevsPanel = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => {
  const hasFunctions = gpu.framework === 'mdev-sriov'
  if (gpu.mdevs === null)
    return (
      <Panel title="mdevs">
        <p className="text-ink2">The mdevs of the host could not be read. See the problems of the host.</p>
      </Panel>
    )
  if (gpu.mdevs.length === 0)
    return gpu.framework === 'mdev' || hasFunctions ? (
      <Panel title="mdevs">
        <p className="text-ink2">
          {gpu.numbers.returning.value === null
            ? `No mdev exists. Definitions are unknown: ${gpu.numbers.returning.reason}.`
            : 'No mdev exists or is defined.'}
        </p>
      </Panel>
    ) : null
  return (
    <Panel title="mdevs" note={String(gpu.mdevs.length)}>
      <SideScroll className="-mb-3">
        <Table>
          <thead>
            <tr>
              <Th>uuid</Th>
              {hasFunctions ? <Th>Parent</Th> : null}
              <Th>Type</Th>
              <Th>State</Th>
              <Th>Persistence</Th>
              <Th>Server or guest</Th>
            </tr>
          </thead>
          <tbody>
            {gpu.mdevs.map((mdev) => (
              <MdevRow key={mdev.uuid} mdev={mdev} hasFunctions={hasFunctions} />
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {gpu.mdevs.some(({ state }) => state === 'orphan') ? (
        <p className="mt-5 print:hidden">
          <PlanLink
            href={newOrphansPath({ cloud, gpus: [{ host: gpu.host, address: gpu.address }] })}
            size="small"
          >
            Remove orphans
          </PlanLink>
        </p>
      ) : null}
    </Panel>
  )
}
