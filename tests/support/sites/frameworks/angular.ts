/** The shop with Angular and its router, without zones; templates are compiled in the browser. */
import '@angular/compiler'
import { Component, inject, resource } from '@angular/core'
import { toSignal } from '@angular/core/rxjs-interop'
import { bootstrapApplication } from '@angular/platform-browser'
import { ActivatedRoute, RouterLink, RouterOutlet, provideRouter } from '@angular/router'
import { ABOUT, teaOf, teasOfPage } from './shop.ts'

@Component({
  selector: 'shop-home',
  imports: [RouterLink],
  template: `<h1>Tea shop</h1>
    <p>
      Six teas from four countries, sold by weight and sent on the same day. Every one of them has been tasted before it is on the list.
    </p>
    <a routerLink="/teas" [queryParams]="{ page: 1 }">All teas</a> <a routerLink="/about">About us</a>`,
})
class Home {}

@Component({
  selector: 'shop-teas',
  imports: [RouterLink],
  template: `@if (list.value(); as shown) {
      <h1>Teas, page {{ page() }}</h1>
      <ul>
        @for (tea of shown.teas; track tea.no) {
          <li>
            <a [routerLink]="['/teas', tea.no]">{{ tea.name }}</a> {{ tea.about }}
          </li>
        }
      </ul>
      @if (shown.next !== null) {
        <a routerLink="/teas" [queryParams]="{ page: shown.next }">Next page</a>
      }
    } @else {
      <p>Loading …</p>
    }`,
})
class Teas {
  query = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true })
  page = () => Number(this.query().get('page') ?? 1)
  list = resource({ params: this.page, loader: ({ params }) => teasOfPage(params) })
}

@Component({
  selector: 'shop-tea',
  template: `@if (tea.value(); as shown) {
      <article>
        <h1>{{ shown.name }}</h1>
        <p>{{ shown.about }}</p>
      </article>
    } @else {
      <p>Loading …</p>
    }`,
})
class TeaPage {
  path = toSignal(inject(ActivatedRoute).paramMap, { requireSync: true })
  tea = resource({ params: () => this.path().get('no')!, loader: ({ params }) => teaOf(params) })
}

@Component({
  selector: 'shop-about',
  template: `<article>
    <h1>About the shop</h1>
    <p>{{ text }}</p>
  </article>`,
})
class About {
  text = ABOUT
}

@Component({ selector: 'app-root', imports: [RouterOutlet], template: '<main><router-outlet /></main>' })
class Shop {}

const routes = [
  { path: '', component: Home },
  { path: 'teas', component: Teas },
  { path: 'teas/:no', component: TeaPage },
  { path: 'about', component: About },
]
void bootstrapApplication(Shop, { providers: [provideRouter(routes)] })
