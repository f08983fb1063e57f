'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { accountOptions } from '@/lib/api/session'

const AccountDropdown = dynamic(() => import('./account-dropdown').then((module) => module.AccountDropdown), {
  ssr: false,
  loading: () => <div className="h-[46px]" />,
})

/** A proxy that adds no header cannot be detected, so each page shows the consequence. */
const NoSignIn = () => (
  <p
    role="note"
    className="rounded-panel border border-warn bg-warn2 px-2 py-1.5 text-ink2 text-small print:hidden"
  >
    <strong className="font-semibold text-warn">No sign-in:</strong> anyone who can reach this address is an
    admin.
  </p>
)

/** Without sign-in there is no account, and then the menu's code is not loaded either. */
export const AccountMenu = ({ side = 'top' }: { side?: 'top' | 'bottom' }) => {
  const { data: account } = useQuery(accountOptions())
  if (account === undefined) return null
  return account.mode === 'local' ? <NoSignIn /> : <AccountDropdown account={account} side={side} />
}
