import { PlanLink } from '@/components/change/plan-link'
import { described, Field, Select } from '@/components/ui/input'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import { formatMib, formatNoun } from '@/lib/util/format'
import { newTraitsPath } from '@/lib/util/paths'
import type { NewFlavorInput } from './flavor-input'

type Gpu = NewFlavorInput['gpu']
type TypeOffer = FlavorOffers['types'][number]

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8]

const traitOf = ({ trait, isClassEnough }: TypeOffer): string | null => (isClassEnough ? null : trait)

const isChosen = (gpu: Gpu, offer: TypeOffer): boolean =>
  gpu?.kind === 'vgpu' && gpu.resourceClass === offer.resourceClass && gpu.type === offer.name

/** A type without a distinct trait may be selected: the server then gets any type of its class. */
const RequestedBy = ({ offer, cloud }: { offer: TypeOffer; cloud: string | null }) => (
  <>
    <span className="whitespace-nowrap font-mono text-small">{traitOf(offer) ?? offer.resourceClass}</span>
    {offer.because === null ? null : (
      <p className="max-w-[46ch] whitespace-normal text-small text-warn">
        Any of {offer.resourceClass}: {offer.because}.{' '}
        <PlanLink href={newTraitsPath({ cloud, type: offer.name })} size="small">
          Tag with traits
        </PlanLink>
      </p>
    )}
  </>
)

const TypeRow = ({
  offer,
  gpu,
  cloud,
  onChoose,
}: {
  offer: TypeOffer
  gpu: Gpu
  cloud: string | null
  onChoose: (gpu: Gpu) => void
}) => (
  <Tr className={isChosen(gpu, offer) ? 'bg-sel' : ''}>
    <Td className="whitespace-nowrap">
      <label className="flex cursor-pointer items-baseline gap-2">
        <input
          type="radio"
          name="gpu"
          checked={isChosen(gpu, offer)}
          onChange={() =>
            onChoose({
              kind: 'vgpu',
              type: offer.name,
              resourceClass: offer.resourceClass,
              trait: traitOf(offer),
              count: gpu?.count ?? 1,
              groupPolicy: 'isolate',
            })
          }
        />
        <span className="font-[550]">{offer.name}</span>
        <span className="font-mono text-ink3 text-small">{offer.typeId}</span>
      </label>
      <div className="pl-[21px] whitespace-normal text-ink2 text-small md:hidden">
        <p>
          {[
            ...(offer.heads === null ? [] : [formatNoun(offer.heads, 'display')]),
            ...offer.models,
            `${formatNoun(offer.pgpuCount, 'pGPU')} on ${formatNoun(offer.hostCount, 'host')}`,
          ].join(', ')}
        </p>
        <RequestedBy offer={offer} cloud={cloud} />
      </div>
    </Td>
    <Td isNumber className="whitespace-nowrap">
      {offer.framebufferMib === null ? '–' : formatMib(offer.framebufferMib)}
    </Td>
    <Td isNumber className="max-md:hidden">
      {offer.heads ?? '–'}
    </Td>
    <Td className="max-md:hidden">{offer.models.join(', ')}</Td>
    <Td isNumber className="whitespace-nowrap max-md:hidden">
      {offer.pgpuCount} <span className="text-ink3">on {formatNoun(offer.hostCount, 'host')}</span>
    </Td>
    <Td className="max-md:hidden">
      <RequestedBy offer={offer} cloud={cloud} />
    </Td>
  </Tr>
)

const AliasRow = ({
  alias,
  gpu,
  onChoose,
}: {
  alias: FlavorOffers['aliases'][number]
  gpu: Gpu
  onChoose: (gpu: Gpu) => void
}) => (
  <Tr className={gpu?.kind === 'pci' && gpu.alias === alias.name ? 'bg-sel' : ''}>
    <Td className="whitespace-nowrap">
      <label className="flex cursor-pointer items-baseline gap-2">
        <input
          type="radio"
          name="gpu"
          checked={gpu?.kind === 'pci' && gpu.alias === alias.name}
          onChange={() => onChoose({ kind: 'pci', alias: alias.name, count: gpu?.count ?? 1 })}
        />
        <span className="font-[550]">{alias.name}</span>
        <span className="text-ink3 text-small">PCI alias</span>
      </label>
      <p className="pl-[21px] whitespace-normal text-ink2 text-small wrap-anywhere md:hidden">
        <span className="font-mono">{alias.means}</span>, on {formatNoun(alias.hostCount, 'host')}
      </p>
    </Td>
    <Td isNumber>–</Td>
    <Td isNumber className="max-md:hidden">
      –
    </Td>
    <Td className="font-mono text-small max-md:hidden">{alias.means}</Td>
    <Td isNumber className="whitespace-nowrap text-ink3 max-md:hidden">
      on {formatNoun(alias.hostCount, 'host')}
    </Td>
    <Td className="font-mono text-small max-md:hidden">pci_passthrough:alias</Td>
  </Tr>
)

const Offers = ({
  offers,
  gpu,
  cloud,
  onChoose,
}: {
  offers: FlavorOffers
  gpu: Gpu
  cloud: string | null
  onChoose: (gpu: Gpu) => void
}) => (
  <fieldset className="m-0 min-w-0 border-0 p-0">
    <legend className="mb-1 font-[550] text-small">GPU that hosts offer now</legend>
    <SideScroll>
      <div className="max-h-72 overflow-y-auto print:max-h-none">
        <Table>
          <thead className="sticky top-0 z-10 print:static">
            <tr>
              <Th>Type</Th>
              <Th isNumber>Framebuffer</Th>
              <Th isNumber className="max-md:hidden">
                Displays
              </Th>
              <Th className="max-md:hidden">Card</Th>
              <Th isNumber className="max-md:hidden">
                pGPUs
              </Th>
              <Th className="max-md:hidden">Requested as</Th>
            </tr>
          </thead>
          <tbody>
            {offers.types.map((offer) => (
              <TypeRow
                key={`${offer.resourceClass} ${offer.name}`}
                offer={offer}
                gpu={gpu}
                cloud={cloud}
                onChoose={onChoose}
              />
            ))}
            {offers.aliases.map((alias) => (
              <AliasRow key={alias.name} alias={alias} gpu={gpu} onChoose={onChoose} />
            ))}
          </tbody>
        </Table>
      </div>
    </SideScroll>
    {offers.types.length + offers.aliases.length === 0 ? (
      <p className="mt-1 text-ink3">
        No pGPU has a vGPU type in Placement, and no host has a PCI alias. You can enter extra specs below.
      </p>
    ) : null}
  </fieldset>
)

const Counts = ({ gpu, onChoose }: { gpu: NonNullable<Gpu>; onChoose: (gpu: Gpu) => void }) => (
  <>
    <Field id="gpu-count" label={gpu.kind === 'vgpu' ? 'vGPUs per server' : 'Devices per server'}>
      <Select
        id="gpu-count"
        value={gpu.count}
        onChange={(event) => onChoose({ ...gpu, count: Number(event.target.value) })}
      >
        {COUNTS.map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </Select>
    </Field>
    {gpu.kind === 'vgpu' && gpu.count > 1 ? (
      <Field
        id="group-policy"
        label="Source of the vGPUs"
        help="With NVIDIA, a server can have only one vGPU of a pGPU (bug 1758086)."
      >
        <Select
          {...described('group-policy')}
          value={gpu.groupPolicy}
          onChange={(event) =>
            onChoose({ ...gpu, groupPolicy: event.target.value === 'none' ? 'none' : 'isolate' })
          }
        >
          <option value="isolate">each from a different provider</option>
          <option value="none">any free ones</option>
        </Select>
      </Field>
    ) : null}
  </>
)

/** Which GPU the servers get, and how many of it. */
export const GpuChoice = (props: {
  offers: FlavorOffers
  gpu: Gpu
  cloud: string | null
  onChoose: (gpu: Gpu) => void
}) => (
  <>
    <Offers {...props} />
    {props.gpu === null ? null : (
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <Counts gpu={props.gpu} onChoose={props.onChoose} />
      </div>
    )}
  </>
)
