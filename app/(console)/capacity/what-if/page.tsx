import { redirect } from 'next/navigation'
import { scenariosPath } from '@/lib/util/planning-paths'

type Search = { cloud?: string | string[]; steps?: string | string[] }

/** The former address of scenarios, whose steps it held. */
const Page = async ({ searchParams }: { searchParams: Promise<Search> }) => {
  const { cloud, steps } = await searchParams
  redirect(
    scenariosPath({
      cloud: typeof cloud === 'string' ? cloud : null,
      search: typeof steps === 'string' ? { a: 'new', steps } : {},
    }),
  )
}

export default Page
