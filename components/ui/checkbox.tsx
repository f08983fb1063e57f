import type { ComponentProps } from 'react'
import { classNames } from '@/lib/util/class-names'

/** The browser's own checkbox, drawn in the look. */
export const Checkbox = ({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) => (
  <input type="checkbox" className={classNames('check', className)} {...rest} />
)
