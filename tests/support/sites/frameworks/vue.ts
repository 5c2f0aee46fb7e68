/** The shop with Vue and its router; templates are compiled in the browser. */
import { createApp, defineComponent, ref, watchEffect } from 'vue'
import { createRouter, createWebHistory, useRoute } from 'vue-router'
import { ABOUT, teaOf, teasOfPage } from './shop.ts'
import type { Tea } from './shop.ts'

const Home = defineComponent({
  template: `<h1>Tea shop</h1>
    <p>Six teas from four countries, sold by weight and sent on the same day. Every one of them has been tasted before it is on the list.</p>
    <RouterLink to="/teas?page=1">All teas</RouterLink> <RouterLink to="/about">About us</RouterLink>`,
})

const Teas = defineComponent({
  setup() {
    const route = useRoute()
    const list = ref<Awaited<ReturnType<typeof teasOfPage>> | null>(null)
    const page = () => Number(route.query['page'] ?? 1)
    watchEffect(async () => (list.value = await teasOfPage(page())))
    return { list, page }
  },
  template: `<p v-if="list === null">Loading …</p>
    <template v-else>
      <h1>Teas, page {{ page() }}</h1>
      <ul><li v-for="tea in list.teas" :key="tea.no"><RouterLink :to="'/teas/' + tea.no">{{ tea.name }}</RouterLink> {{ tea.about }}</li></ul>
      <RouterLink v-if="list.next !== null" :to="'/teas?page=' + list.next">Next page</RouterLink>
    </template>`,
})

const TeaPage = defineComponent({
  setup() {
    const tea = ref<Tea | null>(null)
    const route = useRoute()
    watchEffect(async () => (tea.value = await teaOf(String(route.params['no']))))
    return { tea }
  },
  template: `<p v-if="tea === null">Loading …</p><article v-else><h1>{{ tea.name }}</h1><p>{{ tea.about }}</p></article>`,
})

const About = defineComponent({
  setup: () => ({ ABOUT }),
  template: `<article><h1>About the shop</h1><p>{{ ABOUT }}</p></article>`,
})

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: Home },
    { path: '/teas', component: Teas },
    { path: '/teas/:no', component: TeaPage },
    { path: '/about', component: About },
  ],
})
createApp({ template: '<main><RouterView /></main>' }).use(router).mount('#app')
