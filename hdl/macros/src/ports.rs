//! The `Ports` and `FromWords` derives.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    parse_quote, Data, DeriveInput, Error, Field, Fields, GenericArgument, PathArguments, Result,
    Token, Type,
};

/// `visit_ports` over the fields that are ports.
pub fn ports(input: &DeriveInput) -> Result<TokenStream> {
    let fields = || named_fields(input).map(|it| it.iter().filter(|field| is_port(field)));
    let visits = fields()?.map(|field| {
        let ident = field.ident.as_ref();
        let name = ident.map(IdentExt::unraw).map(|name| name.to_string());
        quote! {
            ::fantree_hdl::ports::Ports::visit_ports(&mut self.#ident, &name.field(#name), visitor);
        }
    });
    let name = &input.ident;
    let mut generics = input.generics.clone();
    if generics.type_params().next().is_some() {
        // A port of a type parameter is one only if values of that type can be driven.
        let bounds = &mut generics.make_where_clause().predicates;
        for Field { ty, .. } in fields()? {
            bounds.push(parse_quote!(#ty: ::fantree_hdl::ports::Ports));
        }
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        impl #impl_generics ::fantree_hdl::ports::Ports for #name #type_generics #where_clause {
            fn visit_ports(
                &mut self,
                name: &::fantree_hdl::ports::Name,
                visitor: &mut dyn ::fantree_hdl::ports::Visitor,
            ) {
                #(#visits)*
            }
        }
    })
}

/// `from_words` of a struct, field by field, or of an enum, by number.
pub fn from_words(input: &DeriveInput) -> Result<TokenStream> {
    let body = match &input.data {
        Data::Enum(data) => {
            let count = data.variants.len() as u32;
            let states = data.variants.iter().enumerate().map(|(index, variant)| {
                let (index, name) = (index as u32, &variant.ident);
                quote!(#index => Self::#name,)
            });
            quote! {
                match (words[0] & ((1 << <Self as ::rust_hdl::core::synth::Synth>::BITS) - 1)) % #count {
                    #(#states)*
                    _ => ::core::unreachable!(),
                }
            }
        }
        _ => {
            let fields = named_fields(input)?.iter().map(|field| &field.ident);
            quote! {
                let mut slices = ::fantree_hdl::ports::Slices::new(words);
                Self { #(#fields: slices.take(),)* }
            }
        }
    };
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    Ok(quote! {
        impl #impl_generics ::fantree_hdl::ports::FromWords for #name #type_generics #where_clause {
            fn from_words(words: &[u32]) -> Self {
                #body
            }
        }
    })
}

fn named_fields(input: &DeriveInput) -> Result<&Punctuated<Field, Token![,]>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(&fields.named),
            _ => Err(Error::new_spanned(
                &input.ident,
                "a struct with named fields is needed",
            )),
        },
        _ => Err(Error::new_spanned(
            &input.ident,
            "a struct with named fields is needed",
        )),
    }
}

/// A signal towards outside, in any nest of `Vec`s and arrays, or a field that says so itself.
fn is_port(field: &Field) -> bool {
    field
        .attrs
        .iter()
        .any(|attribute| attribute.path().is_ident("ports"))
        || is_port_type(&field.ty)
}

fn is_port_type(ty: &Type) -> bool {
    let path = match ty {
        Type::Array(array) => return is_port_type(&array.elem),
        Type::Path(path) => &path.path,
        _ => return false,
    };
    let Some(last) = path.segments.last() else {
        return false;
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return false;
    };
    let Some(GenericArgument::Type(first)) = arguments.args.first() else {
        return false;
    };
    if last.ident == "Vec" {
        return is_port_type(first);
    }
    let Type::Path(direction) = first else {
        return false;
    };
    let towards = direction.path.segments.last().map(|segment| &segment.ident);
    (last.ident == "Signal" || last.ident == "Wire")
        && towards.is_some_and(|ident| ident == "In" || ident == "Out")
}
