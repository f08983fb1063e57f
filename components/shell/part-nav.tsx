'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { classNames } from '@/lib/util/class-names'
import { useCloud } from './use-cloud'

/** The pages of one room, in a row above each of them. */
export const PartNav = ({
  label,
  parts,
}: {
  label: string
  parts: readonly { name: string; path: (input?: { cloud?: string | null }) => string }[]
}) => {
  const pathname = usePathname()
  const { cloud } = useCloud()
  return (
    <nav aria-label={label} className="mb-3 border-line border-b print:hidden">
      <ul className="flex gap-1 overflow-x-auto">
        {parts.map(({ name, path }) => {
          const isHere = pathname === path()
          return (
            <li key={name}>
              <Link
                href={path({ cloud })}
                {...(isHere ? { 'aria-current': 'page' } : {})}
                className={classNames(
                  '-mb-px block whitespace-nowrap border-b-2 px-2.5 py-1.5',
                  isHere
                    ? 'border-accent font-semibold text-ink'
                    : 'border-transparent text-ink2 hover:text-ink',
                )}
              >
                {name}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
