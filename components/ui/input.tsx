import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

const control =
  'h-7 w-full min-w-0 rounded-control border border-line bg-panel px-2.5 text-ink hover:border-edge aria-invalid:border-bad disabled:opacity-55'

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input className={classNames(control, className)} {...rest} />
)

/** Several lines, literal: no spelling is marked. */
export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea
    spellCheck={false}
    className={classNames(control, 'h-auto py-1.5 font-mono text-small', className)}
    {...rest}
  />
)

/** A few lines of text for people. */
export const NoteArea = (props: Omit<ComponentProps<'textarea'>, 'className'>) => (
  <textarea rows={3} className={classNames(control, 'h-auto py-1.5')} {...props} />
)

/** The browser's own select: it opens well on every device and costs no script. */
export const Select = ({ className, ...rest }: ComponentProps<'select'>) => (
  <select className={classNames(control, 'pr-1', className)} {...rest} />
)

/** Connects a control with its `Field`: the label, the note below, and whether its value is invalid. */
export const described = (id: string, problem?: string | undefined) => ({
  id,
  'aria-describedby': `${id}-note`,
  ...(problem === undefined ? {} : { 'aria-invalid': true as const }),
})

/** Label above, help or error below; the control takes its props from `described` with the same id. */
export const Field = ({
  id,
  label,
  help,
  error,
  children,
}: {
  id: string
  label: string
  help?: ReactNode
  error?: string | undefined
  children: ReactNode
}) => (
  <div className="flex flex-col gap-1">
    <label htmlFor={id} className="font-[550] text-small">
      {label}
    </label>
    {children}
    {error === undefined && help === undefined ? null : (
      <p
        id={`${id}-note`}
        className={classNames('text-small', error === undefined ? 'text-ink3' : 'text-bad')}
      >
        {error ?? help}
      </p>
    )}
  </div>
)
