'use client'

import { useMutation } from '@tanstack/react-query'
import { ChevronsUpDown, UserRound } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { scopeName } from '@/components/session/scope-labels'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { toast } from '@/components/ui/toast-store'
import { signOutOptions } from '@/lib/api/session'
import type { AccountDto } from '@/lib/schemas/api/session'
import { apiTokenSettingsPath, loginPath, sessionSettingsPath } from '@/lib/util/paths'

const SwitchScopeDialog = dynamic(() =>
  import('@/components/session/switch-scope-dialog').then((module) => module.SwitchScopeDialog),
)

const Who = ({ account }: { account: AccountDto }) => (
  <span className="min-w-0 flex-1">
    <span className="block truncate font-[550]">{account.user}</span>
    <small className="block truncate text-ink3 text-tiny">
      {account.scope === null ? 'no scope' : scopeName(account.scope)} · {account.role}
    </small>
  </span>
)

/** The signed-in account with its scope and role, and the sign-out. */
export const AccountDropdown = ({ account, side }: { account: AccountDto; side: 'top' | 'bottom' }) => {
  const signOut = useMutation(signOutOptions())
  const router = useRouter()
  const [isSwitching, setIsSwitching] = useState(false)
  const leave = () =>
    signOut.mutate(undefined, {
      onSuccess: () => {
        // The saved list positions contain names of hosts, which the next user of this tab must not see.
        window.sessionStorage.clear()
        window.location.assign(loginPath())
      },
      onError: (err) => toast.error('You are still signed in.', err.message),
    })
  return (
    <>
      <DropdownMenu modal={false}>
        <DropdownMenuTrigger
          aria-label={`Account of ${account.user}`}
          className="flex w-full items-center gap-2 rounded-[7px] border border-line px-2 py-1.5 text-left hover:border-edge aria-expanded:border-edge"
        >
          <UserRound size={15} aria-hidden className="flex-none text-ink3" />
          <Who account={account} />
          <ChevronsUpDown size={14} aria-hidden className="flex-none text-ink3" />
        </DropdownMenuTrigger>
        <DropdownMenuContent side={side} className="w-60">
          <div className="px-2 py-1.5">
            <p className="break-words font-semibold">
              {account.user}
              <span className="font-normal text-ink2"> in {account.domain}</span>
            </p>
            <p className="text-ink2 text-small">
              {account.cloud}, {account.scope === null ? '' : scopeName(account.scope)}
            </p>
            <p className="text-ink3 text-small">Keystone roles: {account.keystoneRoles.join(', ')}</p>
          </div>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => setIsSwitching(true)}>Switch project</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => router.push(sessionSettingsPath())}>Sessions</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => router.push(apiTokenSettingsPath())}>API tokens</DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={leave}>Sign out</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {isSwitching ? <SwitchScopeDialog onClose={() => setIsSwitching(false)} /> : null}
    </>
  )
}
