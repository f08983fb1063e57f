import { PickList } from '@/components/form/pick-list'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import type { NewFlavorInput } from './flavor-input'

type Access = Pick<NewFlavorInput, 'isPublic' | 'projectIds'>

const WAYS = [
  { isPublic: true, label: 'Every project' },
  { isPublic: false, label: 'These projects' },
] as const

/** The projects of a new flavor; Nova cannot change a public one to private or back. */
export const AccessChoice = ({
  offers: { projects },
  wish,
  onChange,
}: {
  offers: Pick<FlavorOffers, 'projects'>
  wish: Access
  onChange: (access: Partial<Access>) => void
}) => (
  <div className="flex flex-col gap-2">
    <fieldset className="m-0 flex min-w-0 flex-wrap items-baseline gap-x-4 border-0 p-0">
      <legend className="mb-1 font-[550] text-small">Who may use it</legend>
      {WAYS.map(({ isPublic, label }) => (
        <label key={label} className="flex items-baseline gap-2">
          <input
            type="radio"
            name="access"
            checked={wish.isPublic === isPublic}
            onChange={() => onChange({ isPublic })}
          />
          {label}
        </label>
      ))}
    </fieldset>
    {wish.isPublic ? null : projects === null ? (
      <p className="text-warn">Keystone has not told its projects, so none can be chosen.</p>
    ) : (
      <PickList
        legend="Projects"
        items={projects.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={wish.projectIds}
        onChoose={(projectIds) => onChange({ projectIds })}
        empty="Keystone has no projects."
      />
    )}
  </div>
)
