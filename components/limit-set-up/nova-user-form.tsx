import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { described, Field, Input } from '@/components/ui/input'

export type NovaUser = { user: string; domain: string }

/** Characters that the API accepts. */
const MAX_LENGTH = { user: 255, domain: 64 } as const

/** What is wrong with each field; undefined: nothing. */
export const novaUserProblems = ({ user, domain }: NovaUser) => ({
  user:
    user.trim().length > MAX_LENGTH.user
      ? `A user name has at most ${MAX_LENGTH.user} characters.`
      : undefined,
  domain:
    domain.trim().length > MAX_LENGTH.domain
      ? `A domain ID has at most ${MAX_LENGTH.domain} characters.`
      : undefined,
})

/** Nova's user in Keystone, where it has another name than `nova` or several domains have a user of that name. */
export const NovaUserForm = ({
  given,
  isChecking,
  onGiven,
}: {
  given: NovaUser
  isChecking: boolean
  onGiven: (novaUser: NovaUser) => void
}) => {
  const [{ user, domain }, setText] = useState(given)
  const problems = novaUserProblems({ user, domain })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problems.user === undefined && problems.domain === undefined)
      onGiven({ user: user.trim(), domain: domain.trim() })
  }
  return (
    <form onSubmit={submit} className="mt-1.5 flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field id="nova-user" label="Nova’s user in Keystone" error={problems.user}>
        <Input
          {...described('nova-user', problems.user)}
          value={user}
          onChange={(event) => setText({ domain, user: event.target.value })}
        />
      </Field>
      <Field id="nova-user-domain" label="Domain ID (optional)" error={problems.domain}>
        <Input
          {...described('nova-user-domain', problems.domain)}
          value={domain}
          onChange={(event) => setText({ user, domain: event.target.value })}
        />
      </Field>
      <Button type="submit" isUnavailable={isChecking}>
        {isChecking ? 'Checking' : 'Check this user'}
      </Button>
    </form>
  )
}
