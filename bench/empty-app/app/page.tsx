'use client'

/** The least that a Next page with React in the browser can be. */
const Page = () => <p>Empty</p>

export default Page
