import type { ComponentProps } from 'react'
import { classNames } from '@/lib/util/class-names'

/** A panel that scrolls sideways on its own when the table is wider than the page. */
export const TablePanel = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div
    className={classNames(
      'relative overflow-x-auto rounded-panel border border-line bg-panel print:overflow-visible',
      className,
    )}
    {...rest}
  />
)

export const Table = ({ className, ...rest }: ComponentProps<'table'>) => (
  <table className={classNames('w-full border-separate border-spacing-0', className)} {...rest} />
)

export const Th = ({
  isNumber = false,
  className,
  ...rest
}: ComponentProps<'th'> & { isNumber?: boolean }) => (
  <th
    scope="col"
    className={classNames(
      'whitespace-nowrap border-line border-b bg-panel px-2.5 py-[7px] font-[550] text-ink2 text-small',
      isNumber ? 'text-right' : 'text-left',
      className,
    )}
    {...rest}
  />
)

export const Tr = ({ className, ...rest }: ComponentProps<'tr'>) => (
  <tr className={classNames('[&:last-child>td]:border-b-0', className)} {...rest} />
)

export const Td = ({
  isNumber = false,
  className,
  ...rest
}: ComponentProps<'td'> & { isNumber?: boolean }) => (
  <td
    className={classNames(
      'border-line2 border-b px-2.5 py-1.5',
      isNumber && 'text-right tabular-nums',
      className,
    )}
    {...rest}
  />
)
