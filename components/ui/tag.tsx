import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { classNames } from '@/lib/util/class-names'

const tagStyle = cva(
  'inline-flex items-center gap-1 whitespace-nowrap rounded-tag border px-[5px] text-tiny leading-[16px]',
  {
    variants: {
      tone: {
        quiet: 'border-line text-ink2',
        accent: 'border-transparent bg-accent2 font-semibold text-accent-ink',
        warn: 'border-transparent bg-warn2 font-semibold text-warn',
        bad: 'border-transparent bg-bad2 font-semibold text-bad',
      },
    },
    defaultVariants: { tone: 'quiet' },
  },
)

/** A small label: a framework, who does a step, a state. */
export const Tag = ({ tone, className, ...rest }: ComponentProps<'span'> & VariantProps<typeof tagStyle>) => (
  <span className={classNames(tagStyle({ tone }), className)} {...rest} />
)
