import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { described, Field, Input } from '@/components/ui/input'

type NovaUser = { user: string; domain: string }

/** Nova's user in Keystone, where it has another name than `nova` or several domains have a user of that name. */
export const NovaUserForm = ({
  given,
  onGiven,
}: {
  given: NovaUser
  onGiven: (novaUser: NovaUser) => void
}) => {
  const [{ user, domain }, setText] = useState(given)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onGiven({ user: user.trim(), domain: domain.trim() })
  }
  return (
    <form onSubmit={submit} className="mt-1.5 flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field id="nova-user" label="Nova’s user in Keystone">
        <Input
          {...described('nova-user')}
          value={user}
          maxLength={255}
          onChange={(event) => setText({ domain, user: event.target.value })}
        />
      </Field>
      <Field id="nova-user-domain" label="ID of its domain (optional)">
        <Input
          {...described('nova-user-domain')}
          value={domain}
          maxLength={64}
          onChange={(event) => setText({ user, domain: event.target.value })}
        />
      </Field>
      <Button type="submit">Check this user</Button>
    </form>
  )
}
