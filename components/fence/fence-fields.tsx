import { Field, Input } from '@/components/ui/input'

/** A set of CPUs, a name or a number of the form. */
export const TextField = ({
  name,
  label,
  help,
  value,
  onChange,
  isNumber = false,
}: {
  name: string
  label: string
  help?: string
  value: string
  onChange: (text: string) => void
  isNumber?: boolean
}) => (
  <div className="w-full max-w-[260px]">
    <Field id={`fence-${name}`} label={label} {...(help === undefined ? {} : { help })}>
      <Input
        id={`fence-${name}`}
        type={isNumber ? 'number' : 'text'}
        min={0}
        value={value}
        maxLength={1000}
        spellCheck={false}
        className="font-mono"
        onChange={(event) => onChange(event.target.value)}
        {...(help === undefined ? {} : { 'aria-describedby': `fence-${name}-note` })}
      />
    </Field>
  </div>
)

/** Whether ordinary servers leave. */
export const MoveBox = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <label className="flex items-baseline gap-2">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    Move ordinary servers away until one GPU server finds its room
  </label>
)
