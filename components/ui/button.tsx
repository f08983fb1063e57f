import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, MouseEvent } from 'react'
import { classNames } from '@/lib/util/class-names'

export const buttonStyle = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-control border transition-colors duration-100 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 print:hidden',
  {
    variants: {
      variant: {
        plain: 'font-[550] border-line bg-panel text-ink hover:border-edge aria-expanded:border-edge',
        main: 'font-[550] forced-colors:forced-color-adjust-none border-accent bg-accent text-on-accent hover:brightness-108',
        danger: 'font-[550] border-bad bg-panel text-bad hover:bg-bad2',
        ghost:
          'border-transparent bg-transparent text-ink2 hover:bg-line2 hover:text-ink aria-expanded:bg-line2',
        chip: 'border-line bg-panel font-[450] text-ink2 hover:border-edge aria-expanded:border-edge',
        chipOn: 'border-accent bg-accent2 font-[450] text-accent-ink',
      },
      size: { body: 'h-7 px-2.5', small: 'h-6 px-2 text-small', icon: 'size-7 p-0' },
    },
    defaultVariants: { variant: 'plain', size: 'body' },
  },
)

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonStyle> & {
    /** Why it can't be pressed now. It stays focusable, so that the reason can be read; wrap it in a Tooltip. */
    isUnavailable?: boolean
  }

const refuse = (event: MouseEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

export const Button = ({
  variant,
  size,
  className,
  isUnavailable = false,
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    className={classNames(buttonStyle({ variant, size }), className)}
    {...(isUnavailable ? { 'aria-disabled': true } : {})}
    onClick={isUnavailable ? refuse : onClick}
    {...rest}
  />
)
