import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { LoginPage } from '@/components/session/login-page'
import { loginContext } from '@/lib/server/http/login-context'
import { getSignInOptions } from '@/lib/services/session/get-sign-in-options'
import { loginNotice } from '@/lib/services/session/login-notice'
import { overviewPath, safeNext } from '@/lib/util/paths'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const Page = async ({ searchParams }: Props) => {
  const { next: givenNext, problem, request } = await searchParams
  const next = safeNext([givenNext].flat()[0])
  const { signIn, caller } = await loginContext()
  if (signIn === null) redirect(overviewPath())
  if (caller.state === 'known') redirect(next)
  const end = caller.state === 'unknown' ? caller.end : null
  return (
    <LoginPage
      options={getSignInOptions(signIn)}
      next={next}
      firstStep={caller.state === 'choosing' ? 'choose' : 'sign-in'}
      notice={loginNotice({ end, problem: [problem].flat()[0], request: [request].flat()[0] })}
    />
  )
}

export default Page
