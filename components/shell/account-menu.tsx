'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { accountOptions } from '@/lib/api/session'

const AccountDropdown = dynamic(() => import('./account-dropdown').then((module) => module.AccountDropdown), {
  ssr: false,
  loading: () => <div className="h-[46px]" />,
})

/** Without sign-in there is nobody to show, and then the menu's code is not fetched either. */
export const AccountMenu = ({ side = 'top' }: { side?: 'top' | 'bottom' }) => {
  const { data: account } = useQuery(accountOptions())
  return account === undefined || account.mode === 'local' ? null : (
    <AccountDropdown account={account} side={side} />
  )
}
